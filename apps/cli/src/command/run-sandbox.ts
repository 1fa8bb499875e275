import { longestTimerMs } from "@unroll/flow";
import {
  createHost,
  exitCodes,
  loadProgramConfig,
  type ProcessIo,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import { openSandbox, type Sandbox } from "@unroll/harness";
import type { CommandOutcome, SandboxMode } from "@unroll/protocol";
import { showExact } from "@unroll/text";
import { scrubInheritedFds } from "@unroll/process-tree";

export interface RunSandboxOptions {
  readonly argv: readonly string[];
  readonly sandbox?: SandboxMode;
  readonly config?: readonly string[];
  readonly explain?: boolean;
}

/** Returns the command's own exit code; 126 when the sandbox cannot be had or the command is not executable, 127 when there is no such command, 2 wrong usage. */
export async function runSandbox(options: RunSandboxOptions, io: ProcessIo): Promise<number> {
  const host = createHost(io);
  scrubInheritedFds([]);
  try {
    const config = await loadProgramConfig(options, host);
    await using sandbox = await openSandbox(config, host);
    for (const warning of sandbox.warnings) io.stderr.stream.write(`unroll: ${showExact(warning)}\n`);
    if (options.explain === true) return await explain(sandbox, io);
    if (options.argv.length === 0) {
      io.stderr.stream.write("unroll: name a command: unroll sandbox -- ls\n");
      return exitCodes.usage;
    }
    using interruption = watchInterruption(io);
    const orphaned = new AbortController();
    const unwatch = io.onOrphaned(() => orphaned.abort());
    const signal = AbortSignal.any([interruption.signal, orphaned.signal]);
    const runner = await sandbox.openRunner();
    const { argv } = options;
    // it may take as long as it likes
    const spec = {
      argv,
      cwd: config.cwd,
      timeoutMs: longestTimerMs,
      maxOutputBytes: 0,
      confinement: "policy",
    } as const;
    const outcome = await runner.runAttached(spec, signal);
    unwatch();
    return report(outcome, interruption.exitCode, io);
  } catch (error) {
    return reportFailure(error, io);
  }
}

function report(outcome: CommandOutcome, interruptedBy: number | null, io: ProcessIo): number {
  // The command wrote its output itself; here are the notices of the guard: what it put aside.
  if ("output" in outcome) io.stderr.stream.write(outcome.output.text);
  switch (outcome.type) {
    case "exited":
      return interruptedBy ?? outcome.exitCode;
    case "aborted":
    case "timed_out":
      return interruptedBy ?? exitCodes.commandStopped;
    case "not_started":
    case "refused":
      io.stderr.stream.write(`unroll: ${outcome.message}\n`);
      return outcome.type === "refused" || outcome.reason === "not_executable"
        ? exitCodes.commandRefused
        : exitCodes.commandMissing;
  }
}

async function explain(sandbox: Sandbox, io: ProcessIo): Promise<number> {
  const { backend, enforces, doesNotEnforce, launch, refusal } = await sandbox.explain();
  const list = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? "" : `\n${title}\n${lines.map((line) => `  ${line.replaceAll("\n", "\\u{a}")}\n`).join("")}`;
  io.stdout.stream.write(
    showExact(
      `backend: ${backend}\n${refusal === null ? "" : `\nrefused: ${refusal}\n`}` +
        list("enforced", enforces) +
        list("not enforced", doesNotEnforce) +
        list("argument list", launch.length === 0 ? [] : [launch.join(" ")]),
    ),
  );
  return refusal === null ? exitCodes.completed : exitCodes.commandRefused;
}
