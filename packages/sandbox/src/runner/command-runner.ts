import { type Clock, drain } from "@unroll/flow";
import {
  createWatchdog,
  markerVariable,
  startProcess,
  type Connection,
  type RunningProcess,
} from "@unroll/process-tree";
import type {
  CommandOutcome,
  CommandOutput,
  CommandSpec,
  SandboxMode,
  SandboxPolicy,
  BackgroundCommandSpec,
  BackgroundCommandStart,
} from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import { type CommandGroup, createCommandGroup } from "./command-group.ts";
import { parseBubblewrapStatus } from "../plan/linux/parse-bubblewrap-status.ts";
import type { InnerCommand } from "../plan/launch-plan.ts";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import {
  createCommandPreparer,
  prepareUnconfined,
  type CommandPreparer,
  type Preparation,
  type PreparedCommand,
} from "./prepare-command.ts";
import { toOutcome } from "./to-outcome.ts";

/** Under what policy commands run, and what they see. */
export interface CommandRunnerOptions extends Pick<Clock, "elapsed"> {
  /** Measures the time of commands; the system's timers unless given. */
  readonly setTimer?: Clock["setTimer"];
  readonly policy: SandboxPolicy;
  /** All that commands get to see; see `filterEnvironment`. Its PATH is where their programs are looked up. */
  readonly environment: Readonly<Record<string, string>>;
  /** Without it, commands that need a sandbox are refused. */
  readonly sandbox?: SandboxSetting;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
  /** Takes a sentence for a person while commands run. */
  readonly warn?: (message: string) => void;
}

interface SandboxSetting {
  /** What `probeSandbox` found. */
  readonly backend: SandboxBackend;
  /**
   * Absolute; see `findStateFolder`. For the sandbox's own files; must be the same for all harnesses of a user, or one may
   * fail to start a sandbox in the moment in which another one clears up. Made when it is needed.
   */
  readonly stateFolder: string;
}

/** A command that was never run. */
type NotRun = Extract<CommandOutcome, { readonly type: "not_started" | "refused" }>;

/** Runs commands under one policy. */
export interface SandboxRunner extends AsyncDisposable {
  /**
   * Yields output as it comes; whoever reads slowly holds the command up. Returns how the command ended, and by then
   * nothing of its process tree is left. Aborting and leaving early stop the whole tree: SIGTERM, 500 ms, SIGKILL.
   * Also when this process is killed, what runs is ended. Outside the sandbox this does not find a process that left its
   * session and also emptied its environment.
   */
  readonly run: (spec: CommandSpec, signal: AbortSignal) => AsyncGenerator<CommandOutput, CommandOutcome>;
  /**
   * As `run`, on this process's own stdin, stdout and stderr. So `output.text` of the outcome is only what the sandbox has
   * to say: a line that begins with `unroll:` for each thing that it put aside, nothing as a rule. To be shown.
   */
  readonly runAttached: (spec: CommandSpec, signal: AbortSignal) => Promise<CommandOutcome>;
  /** Starts a command that is written to and lives until it ends, its time is over, or `signal` stops it. */
  readonly startBackgroundCommand: (
    spec: BackgroundCommandSpec,
    signal: AbortSignal,
  ) => Promise<BackgroundCommandStart>;
  /** Ends what the runner holds. To be called when no command runs any more. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

const required = {
  "policy.mode": "text",
  environment: "an object",
  elapsed: "a function",
  createId: "a function",
} as const;

/** Runs commands under one policy. Without a backend those that want walls are refused. Disposing it ends all that it started. */
export function createCommandRunner(options: CommandRunnerOptions): SandboxRunner {
  checkShape("createCommandRunner", options, required);
  const runnerId = options.createId();
  const group = createCommandGroup(options.policy, runnerId);
  const watchdog = createWatchdog(`${runnerId}.`, 0, {
    group: group.find,
    ...(options.warn && { warn: options.warn }),
  });
  const preparer = createPreparer(options, runnerId);
  let commands = 0;

  async function start(spec: CommandSpec, connection: Connection, signal: AbortSignal): Promise<Start> {
    checkShape("run", { spec }, { "spec.argv": "a list", "spec.cwd": "text" });
    const marker = `${runnerId}.${(commands += 1)}`;
    const prepared = await prepare(toCommand(options, spec, { connection, marker }), spec, {
      options,
      preparer,
      group,
    });
    if (prepared.type === "refused") return prepared;
    // What starts commands is in their group, too, and is to be the last that the system ends there.
    const launch = { ...prepared.plan, ...(group.find() && { endsFirst: true }), marker };
    // Without a sandbox there is no launcher that would read anything.
    const stateFolder = options.sandbox?.stateFolder ?? "/";
    const bounds = { ...toBounds(options, spec), signal };
    const readHeld = group.watch();
    const started = await startProcess(launch, connection, { ...bounds, watchdog, stateFolder, findInit });
    if (started.type === "started") return { type: "started", process: started.process, prepared, readHeld };
    await prepared.settle();
    return toNotRun(started);
  }

  async function* run(
    spec: CommandSpec,
    connection: Connection,
    signal: AbortSignal,
  ): AsyncGenerator<CommandOutput, CommandOutcome> {
    if (signal.aborted) return notBegun;
    const started = await start(spec, connection, signal);
    return started.type === "started" ? yield* readSession(started) : unlessGivenUp(started, signal);
  }

  return {
    run: (spec, signal) => run(spec, { type: "output" }, signal),
    async runAttached(spec, signal) {
      return drain(run(spec, { type: "inherited" }, signal));
    },
    async startBackgroundCommand(spec, signal) {
      const connection: Connection = spec.terminal ? { type: "terminal", ...spec.terminal } : { type: "pipes" };
      const started = await start(spec, connection, signal);
      if (started.type !== "started") return started;
      const { write, resize } = started.process;
      return { type: "opened", session: { write, resize, output: readSession(started) } };
    },
    async [Symbol.asyncDispose]() {
      preparer?.dispose();
      await watchdog.close();
      await group.close();
    },
  };
}

/** By whose clock it runs, how long, and what of its output is kept. */
function toBounds(
  options: CommandRunnerOptions,
  { timeoutMs, maxOutputBytes }: CommandSpec,
): Pick<CommandRunnerOptions, "elapsed" | "setTimer"> & Pick<CommandSpec, "timeoutMs" | "maxOutputBytes"> {
  const { setTimer } = options;
  return { elapsed: () => options.elapsed(), ...(setTimer && { setTimer }), timeoutMs, maxOutputBytes };
}

function toNotRun({ message, reason }: { readonly message: string; readonly reason: string }): NotRun {
  return { type: "not_started", message, ...(reason === "not_executable" && { reason }) };
}

interface Means {
  readonly options: CommandRunnerOptions;
  readonly preparer: CommandPreparer | null;
  readonly group: CommandGroup;
}

async function prepare(
  command: InnerCommand,
  { confinement }: CommandSpec,
  { options: { policy }, preparer, group }: Means,
): Promise<Preparation> {
  if (confinement === "none" || policy.mode === "danger-full-access") {
    preparer?.clearUp();
    return prepareUnconfined(command);
  }
  return preparer?.prepare(command, group.limits()) ?? { type: "refused", message: explainMissing(policy.mode) };
}

function toCommand(
  options: CommandRunnerOptions,
  spec: CommandSpec,
  { connection, marker }: { readonly connection: Connection; readonly marker: string },
): InnerCommand {
  const environment = {
    ...toEnvironment(options.environment, connection),
    ...spec.environment,
    [markerVariable]: marker,
  };
  return { argv: spec.argv, cwd: spec.cwd, environment, hasTerminal: connection.type === "terminal" };
}

function toEnvironment(
  environment: CommandRunnerOptions["environment"],
  { type }: Connection,
): CommandRunnerOptions["environment"] {
  return {
    // With a socket for stdin, a first-level bash takes itself for a remote login and reads its start-up files.
    ...(type === "pipes" && { SHLVL: "1" }),
    ...environment,
    ...(type === "terminal" && { TERM: "xterm-256color" }),
  };
}

type Start =
  | {
      readonly type: "started";
      readonly process: RunningProcess;
      readonly prepared: PreparedCommand;
      readonly readHeld: ReturnType<CommandGroup["watch"]>;
    }
  | NotRun;

const notBegun: CommandOutcome = {
  type: "aborted",
  durationMs: 0,
  output: { text: "", totalBytes: 0, totalLines: 0, omittedBytes: 0 },
};

/** One that was given up meanwhile needs no reason why it did not start. */
function unlessGivenUp(outcome: NotRun, { aborted }: AbortSignal): CommandOutcome {
  return aborted && outcome.type === "not_started" ? notBegun : outcome;
}

async function* readSession({
  process,
  prepared,
  readHeld,
}: Extract<Start, { readonly type: "started" }>): AsyncGenerator<CommandOutput, CommandOutcome> {
  let isSettled = false;
  try {
    const result = yield* process.output;
    isSettled = true;
    const held = readHeld();
    const notices = toLines([...held, ...(await prepared.settle())], result.output.text);
    if (notices !== "") yield { type: "output", stream: "stderr", text: notices };
    return toOutcome(
      { ...result, output: { ...result.output, text: result.output.text + notices } },
      prepared.confined,
      held,
    );
  } finally {
    if (!isSettled) await prepared.settle();
  }
}

/** As they follow `text`. */
function toLines(notices: readonly string[], text: string): string {
  const begin = notices.length === 0 || text === "" || text.endsWith("\n") ? "" : "\n";
  return begin + notices.map((notice) => `unroll: ${notice}\n`).join("");
}

/** Null where there are no walls to build, or nothing to build them with. */
function createPreparer({ policy, sandbox, environment }: CommandRunnerOptions, name: string): CommandPreparer | null {
  if (sandbox === undefined || policy.mode === "danger-full-access") return null;
  return createCommandPreparer({ ...sandbox, policy, home: environment["HOME"] ?? null, name });
}

function explainMissing(mode: SandboxMode): string {
  return (
    `The command was not run: the sandbox mode is ${mode}, and no sandbox is available here. ` +
    `Approve the command to run outside the sandbox, or set sandbox_mode = "danger-full-access".`
  );
}

/** By what a launcher has reported so far; one that is not bubblewrap reports nothing. */
function findInit(status: string): number | null {
  return parseBubblewrapStatus(status).init;
}
