import { join } from "node:path";
import type { BackgroundCommandSpec } from "@unroll/protocol";
import { findSourcedFiles } from "../profile/find-sourced-files.ts";
import { readDumps } from "../shell/read-fields.ts";
import { saysUnreadable } from "../shell/read-test.ts";
import type { Probe, ShellDialect, ShellStart } from "../shell/shell-dialect.ts";
import type { StateChange, VariableTest } from "../shell/shell-state.ts";
import { type CaptureFile, writeCaptureFile } from "./capture-folder.ts";
import { findDifference, isPlainChange } from "./compare-states.ts";
import { runScript, type ScriptRun } from "./run-script.ts";
import type { ShellRunner } from "./shell-runner.ts";

/** Decides which parts of a profile's result commands get. */
export interface StateFilter {
  readonly keepsVariable: VariableTest;
  /** Whether a text holds a credential, by its value. */
  readonly holdsCredential: (text: string) => boolean;
}

/** A profile to run, in an empty folder for what comes of it. */
export interface CaptureTask extends Probe {
  readonly dialect: ShellDialect;
  /** The waiting command: its folder, sandbox, terminal and extra variables. */
  readonly spec: BackgroundCommandSpec;
  readonly runner: ShellRunner;
  readonly filter: StateFilter;
  /** For each shell that is started, in ms. */
  readonly timeoutMs: number;
  /** Takes what the sandbox has to say. */
  readonly warn: (message: string) => void;
}

/** The outcome of running a profile once. */
export type Capture =
  /** Commands may start in the state that the file holds. `sources`: files that the profiles name; the state hangs on them too. */
  | { readonly type: "captured"; readonly file: CaptureFile; readonly sources: readonly string[] }
  /** They cannot. `reason` is a sentence's end behind "because". */
  | { readonly type: "failed"; readonly reason: string }
  /** It is not known: nothing was run, as with the command itself, or it was stopped, or the sandbox had something to say of it. */
  | { readonly type: "open" };

/** In characters. */
const maxFileLength = 1024 * 1024;

/**
 * Runs the profile like a command, in the same sandbox, and records what it changed in the shell.
 * If that is more than plain variables, another shell that starts from the file must prove equal.
 * Rejects if the file cannot be written.
 */
export async function captureState(task: CaptureTask, signal: AbortSignal): Promise<Capture> {
  const { dialect, filter, folder } = task;
  const probed = await runShell(task, dialect.toProbe(task), signal);
  // Held to a limit, or put right: it is not what the profile does as a rule.
  if (probed.notices.length > 0) return { type: "open" };
  if (saysUnreadable(probed.text, task.nonce)) return { type: "failed", reason: `commands may not read in ${folder}` };
  const change = readChange(task, probed);
  if (change === null) return explainProbe(probed, task.timeoutMs);
  const unkept = findUnkept(change, task);
  if (unkept !== null) return { type: "failed", reason: `the profile ${unkept}` };
  const text = dialect.render(change, filter.keepsVariable);
  if (filter.holdsCredential(text)) return { type: "failed", reason: "a function or an alias holds a credential" };
  if (text.length > maxFileLength) return { type: "failed", reason: "what the profile defines is more than 1 MiB" };
  const file = await writeCaptureFile(join(folder, dialect.fileName), text);
  const sources = findSourcedFiles(listProfiles(task), change.after.variables);
  const flaw = isPlainChange(change) ? null : await findFlaw(task, { change, file }, signal);
  return flaw ?? { type: "captured", file, sources };
}

/** The files that the shell of a task reads. */
export function listProfiles({
  dialect,
  environment,
}: Pick<CaptureTask, "dialect" | "environment">): readonly string[] {
  return dialect.profileFiles(environment["HOME"] ?? "/", environment);
}

async function runShell(
  { spec, runner, warn, timeoutMs }: CaptureTask,
  { argv, environment }: ShellStart,
  signal: AbortSignal,
): Promise<ScriptRun> {
  const script = {
    ...spec,
    argv,
    environment: { ...spec.environment, ...environment },
    timeoutMs,
    maxOutputBytes: 1024,
  };
  const ran = await runScript(runner, script, signal);
  ran.notices.forEach(warn);
  return ran;
}

function readChange({ dialect, nonce }: CaptureTask, { text, isCut }: ScriptRun): StateChange | null {
  const dumps = readDumps(text, nonce);
  const [first, last] = [dumps[0], dumps.at(-1)];
  if (isCut || first === undefined || last === undefined || dumps.length !== 2) return null;
  const [before, after] = [dialect.parse(first), dialect.parse(last)];
  return before && after && { before: { ...before, parameters: [] }, after }; // its parameter is our script
}

function explainProbe({ outcome, isCut }: ScriptRun, timeoutMs: number): Capture {
  switch (outcome.type) {
    case "not_started":
    case "refused":
    case "aborted":
      return { type: "open" };
    case "timed_out":
      return { type: "failed", reason: `the profile takes longer than ${timeoutMs / 1000} s` };
    case "exited": {
      if (isCut) return { type: "failed", reason: "the profile prints too much, or defines too much" };
      const { exitCode } = outcome;
      return { type: "failed", reason: `the profile ends the shell (exit code ${exitCode}), or replaces it` };
    }
  }
}

/** Ends a sentence that begins with "the profile". */
function findUnkept({ before, after }: StateChange, { spec }: CaptureTask): string | null {
  const found = after.unkept.find((each) => !before.unkept.includes(each));
  if (found !== undefined) return found;
  const text = [...after.variables].filter(([name, line]) => before.variables.get(name) !== line).join("\n");
  if (text.includes("\uFFFD")) return "sets a variable to a value that is not UTF-8 text";
  const namesTerminal = spec.terminal !== undefined && /\/dev\/(?:pts\/\d|ttys?\d)/.test(text);
  return namesTerminal ? "keeps the name of the terminal in a variable" : null;
}

interface Claim {
  readonly change: StateChange;
  readonly file: CaptureFile;
}

/** Null: a shell that starts from the file is in the right state. */
async function findFlaw(task: CaptureTask, { change, file }: Claim, signal: AbortSignal): Promise<Capture | null> {
  const { dialect, program, nonce, filter } = task;
  const start = dialect.enter({ program, words: [dialect.toDump(nonce)] }, file.path);
  const { outcome, text, notices } = await runShell(task, start, signal);
  const isOver = outcome.type === "exited" || outcome.type === "timed_out";
  if (!isOver || notices.length > 0) return { type: "open" };
  const dump = readDumps(text, nonce)[0];
  const found = dump === undefined ? null : dialect.parse(dump);
  if (found === null) return { type: "failed", reason: "a shell that was given its result did not start" };
  const difference = findDifference(change, found, filter.keepsVariable);
  if (difference === null) return null;
  return { type: "failed", reason: `a shell that was given its result had other ${difference}` };
}
