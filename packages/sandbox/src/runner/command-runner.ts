import type { CommandOutcome, CommandOutput, CommandSpec, SandboxPolicy } from "@unroll/protocol";
import { runProcess } from "../process/run-process.ts";
import { createWatchdog } from "../process/watchdog.ts";

export interface CommandRunnerOptions {
  /** All that commands get to see; see `filterEnvironment`. Its PATH is where their programs are looked up. */
  readonly environment: Readonly<Record<string, string>>;
  readonly policy: SandboxPolicy;
  /** A monotonic clock in ms. */
  readonly now: () => number;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
}

/** Runs commands under one policy. */
export interface CommandRunner extends AsyncDisposable {
  /**
   * Yields output as it comes; whoever reads slowly holds the command up. Returns how the command ended, and by then
   * nothing of its process tree is left. Aborting and leaving early stop the whole tree: SIGTERM, 500 ms, SIGKILL.
   * Also when this process is killed, a watchdog ends what runs. Not found by any of this: a process that left its
   * session and also emptied its environment.
   */
  run(spec: CommandSpec, signal: AbortSignal): AsyncGenerator<CommandOutput, CommandOutcome>;
  /** Ends the watchdog. To be called when no command runs any more; it ends with this process otherwise. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const runnerId = options.createId();
  const watchdog = createWatchdog(`${runnerId}.`);
  let commands = 0;

  return {
    async *run(spec, signal) {
      if (spec.confinement === "policy" && options.policy.mode !== "danger-full-access") {
        return { type: "refused", message: explainRefusal(options.policy) };
      }
      const [file = "", ...args] = spec.argv;
      const { cwd, timeoutMs, maxOutputBytes } = spec;
      const marker = `${runnerId}.${(commands += 1)}`;
      const launch = { file, args, cwd, environment: options.environment, marker };
      return yield* runProcess(launch, { timeoutMs, maxOutputBytes, signal, now: options.now, watchdog });
    },
    [Symbol.asyncDispose]: () => watchdog.close(),
  };
}

function explainRefusal({ mode }: SandboxPolicy): string {
  return (
    `The command was not run: the sandbox mode is ${mode}, and no sandbox is available here. ` +
    `Approve the command to run outside the sandbox, or set sandbox_mode = "danger-full-access".`
  );
}
