import type { ResolvedConfig } from "@unroll/config";
import { longestTimerMs } from "@unroll/flow";
import { HarnessError, openSandbox, type Sandbox } from "@unroll/harness";
import { exitCodes, loadProgramConfig, ProgramError, type ProgramFlags } from "@unroll/program";
import type { CommandOutcome } from "@unroll/protocol";
import { showExact } from "@unroll/text";
import { scrubInheritedFds } from "@unroll/process-tree";
import type { CommandRun } from "../run-command.ts";

/** The flags of `unroll sandbox`. */
export interface SandboxFlags extends Pick<ProgramFlags, "sandbox" | "config" | "strictConfig" | "allowHost"> {
  readonly explain?: boolean;
  readonly why?: boolean;
}

/** Returns the command's exit code; 126 if there is no sandbox or the command is not executable, 127 if there is no such command. */
export async function runSandbox(
  argv: readonly string[],
  { explain, why, ...flags }: SandboxFlags,
  run: CommandRun,
): Promise<number> {
  const { io, host } = run;
  if (why) return await (await import("./explain-refusal.ts")).explainRefusal(run);
  scrubInheritedFds([]);
  const config = await loadProgramConfig(flags, host);
  await using sandbox = await openSandbox(config, host, { readsRules: true });
  for (const warning of [...listOwnWarnings(config), ...sandbox.warnings]) run.complain(showExact(warning));
  if (explain) return await explainSandbox(sandbox, run);
  if (argv.length === 0) throw new ProgramError("usage", "Give a command: unroll sandbox -- ls");
  const orphaned = new AbortController();
  const unwatch = io.onOrphaned(() => orphaned.abort());
  const runner = await sandbox.openRunner().catch(toRefusal);
  if (typeof runner === "string") {
    unwatch();
    return report({ type: "refused", message: runner }, run);
  }
  // the command may take as long as it likes
  const limits = { timeoutMs: longestTimerMs, maxOutputBytes: 0 };
  const outcome = await runner.runAttached(
    { argv, cwd: config.cwd, ...limits, confinement: "policy" },
    AbortSignal.any([run.signal, orphaned.signal]),
  );
  unwatch();
  return report(outcome, run);
}

/** The settings without effect on a command: flags, certificates, the sandbox's keys. The config's other warnings are not about it. */
function listOwnWarnings({ warnings }: ResolvedConfig): readonly string[] {
  const own = warnings.filter(({ code, key = "sandbox" }) => code === "value_ignored" && key.startsWith("sandbox"));
  return own.map(({ message }) => message);
}

/** Why the command does not run: the machine lacks something for a moment. */
function toRefusal(error: unknown): string {
  if (error instanceof HarnessError && error.code === "sandbox_unavailable")
    return `The command was not run: ${error.message}`;
  throw error;
}

function report(outcome: CommandOutcome, { io, complain }: CommandRun): number {
  // The command wrote its output itself; these are notices of the sandbox: what it put aside.
  if ("output" in outcome) io.stderr.stream.write(outcome.output.text);
  switch (outcome.type) {
    case "exited":
      return outcome.exitCode;
    case "aborted":
    case "timed_out":
      return exitCodes.commandStopped;
    case "not_started":
    case "refused":
      complain(outcome.message);
      return outcome.type === "refused" || outcome.reason === "not_executable"
        ? exitCodes.commandRefused
        : exitCodes.commandMissing;
  }
}

async function explainSandbox(sandbox: Sandbox, { printFolded }: CommandRun): Promise<number> {
  const { backend, enforces, doesNotEnforce, launch, refusal } = await sandbox.explain();
  const list = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? "" : `\n${title}\n${lines.map((line) => `  ${line.replaceAll("\n", "\\u{a}")}\n`).join("")}`;
  const sections = [
    `backend: ${backend}\n${refusal === null ? "" : `\nrefused: ${refusal}\n`}`,
    list("enforced", enforces),
    list("not enforced", doesNotEnforce),
    list("argument list", launch.length === 0 ? [] : [launch.join(" ")]),
  ];
  await printFolded(showExact(sections.join("").trimEnd()));
  return refusal === null ? exitCodes.completed : exitCodes.commandRefused;
}
