import { arch, platform } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { once } from "@unroll/flow";
import { type ControlGroup, membersFile } from "../../group/control-group.ts";
import { endScript } from "../end-script.ts";
import { closeGuard, guardSurroundings, isRunning, unref, type GuardOptions } from "../guard.ts";
import { createLateReport } from "../late-report.ts";
import { findShell, findSystemProgram } from "../../program/find-system-program.ts";
import { spawnProgram } from "../../program/spawn-program.ts";
import { encodeMessage } from "./encode-message.ts";
import { starterProgram } from "./program.ts";

/** The process of a starter, and what is said between it and us. */
export interface StarterLink {
  readonly pid: number;
  readonly isRunning: () => boolean;
  /** `soon`: with the next message, as a rule. */
  readonly say: (message: readonly string[], when: "now" | "soon") => void;
  /** Whether what was said `now` was taken by the system; else it is certain that nobody has heard it. */
  readonly wasSaid: () => Promise<boolean>;
  /** Whoever waits for an answer keeps the harness from ending: +1, and -1 when it has come. */
  readonly hold: (change: 1 | -1) => void;
  /** Lets it go on, should somebody have stopped it. */
  readonly wake: () => void;
  /** Kills it. */
  readonly abandon: () => void;
  /** Resolves when it is gone. */
  readonly close: (message: readonly string[] | null) => Promise<void>;
}

export interface LinkOptions extends GuardOptions {
  /** What it starts is in this group; at the harness's end it kills what is left there, and removes it. Null: there is none. */
  readonly group: ControlGroup | null;
}

interface LinkEars {
  readonly hear: (line: string) => void;
  /** It is gone, and all that it said was heard. */
  readonly gone: () => void;
}

/** Part of the smallest Debian, and needed by git there; elsewhere often so. */
const findPerl = once(() => findSystemProgram("perl"));
/** The number of the system call setsid. */
const setsidNumbers: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 112, arm64: 157 };

/** Null where there is nothing that could run it. */
export function openStarterLink({ mark, graceSeconds, group }: LinkOptions, ears: LinkEars): StarterLink | null {
  const setsid = setsidNumbers[arch()];
  const [perl, shell] = [findPerl(), findShell()];
  if (platform() !== "linux" || setsid === undefined || perl === null || shell === null) return null;
  const parameters = [mark, String(graceSeconds), String(setsid), shell, endScript, ...toMoves(group)];
  const helper = spawnProgram(perl, ["-e", starterProgram, "--", ...parameters], {
    ...guardSurroundings,
    stdio: ["pipe", "pipe", "ignore"],
  });
  unref(helper);
  if (helper.pid === undefined) return null;
  hearLines(helper.stdout, ears.hear);
  helper.on("close", ears.gone);
  const waiting: Buffer[] = [];
  let written = Promise.resolve(true);
  const report = createLateReport(() => {
    const messages = Buffer.concat(waiting.splice(0));
    written = new Promise((resolve) => helper.stdin.write(messages, (error) => resolve(!error)));
  });
  let held = 0;
  let isClosing = false;

  return {
    pid: helper.pid,
    isRunning: () => isRunning(helper),
    say(message, when) {
      waiting.push(encodeMessage(message));
      if (when === "now") report.atOnce();
      else report.soon();
    },
    wasSaid: () => written,
    hold(change) {
      held += change;
      helper[held === 0 && !isClosing ? "unref" : "ref"]();
    },
    wake: () => helper.kill("SIGCONT"),
    abandon: () => helper.kill("SIGKILL"),
    close(message) {
      isClosing = true; // its end is waited for, whatever ends meanwhile
      report.stop();
      return closeGuard(helper, { farewell: message === null ? "" : encodeMessage(message), graceSeconds });
    },
  };
}

/** A process that writes its number to the first of these is in the group; to the last, out of it again. */
function toMoves(group: LinkOptions["group"]): readonly string[] {
  return [...(group?.folders ?? []), ...(group?.outside ?? [])].map((folder) => join(folder, membersFile));
}

function hearLines(stream: Readable, hear: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("latin1").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
