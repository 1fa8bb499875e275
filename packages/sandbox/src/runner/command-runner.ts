import { setTimeout as delay } from "node:timers/promises";
import { noPathMemory, type PathMemory } from "@unroll/files";
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
import { checkShape, describeThrown } from "@unroll/text";
import { findSpareFolder } from "../files/find-state-folder.ts";
import { type CommandGroup, createCommandGroup } from "./command-group.ts";
import { parseBubblewrapStatus } from "../plan/linux/parse-bubblewrap-status.ts";
import type { InnerCommand } from "../plan/launch-plan.ts";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import {
  createCommandPreparer,
  prepareUnconfined,
  type CommandPreparer,
  type PreparerOptions,
  type Preparation,
  type PreparedCommand,
} from "./prepare-command.ts";
import { type HostPorts, openHostDoor } from "./host-door.ts";
import { isShortage } from "./is-shortage.ts";
import { toOutcome } from "./to-outcome.ts";

/** The policy that commands run under, and what they see. */
export interface CommandRunnerOptions extends Pick<Clock, "elapsed"> {
  /** Times commands. Absent: Node's timers. */
  readonly setTimer?: Clock["setTimer"];
  readonly policy: SandboxPolicy;
  /** The whole environment of commands; see `filterEnvironment`. Their programs are looked up on its PATH. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: commands that need a sandbox are refused. */
  readonly sandbox?: SandboxSetting;
  /** Returns a new unique id, such as a UUID. */
  readonly createId: () => string;
  /** Remembers places outside of the folders that commands may write. Absent: nothing is remembered from one command to the next. */
  readonly paths?: PathMemory;
  /** For a policy that lets commands reach hosts by name. Absent: they reach those that it names. */
  readonly hosts?: HostPorts;
  /** Called with a sentence for the user while commands run. Absent: the sentence is dropped. */
  readonly warn?: (message: string) => void;
}

interface SandboxSetting {
  /** The result of `probeSandbox`. */
  readonly backend: SandboxBackend;
  /**
   * Absolute; see `findStateFolder`. Holds the sandbox's own files and is created when needed. It
   * must be the same for all harnesses of a user. Otherwise one may fail to start a sandbox while
   * another one cleans up.
   */
  readonly stateFolder: string;
}

/** A command that never ran. */
type NotRun = Extract<CommandOutcome, { readonly type: "not_started" | "refused" }>;

/** Runs commands under one policy. */
export interface SandboxRunner extends AsyncDisposable {
  /**
   * Looks at the workspace already, so that the first command waits less in a large one. Optional;
   * call it when commands are likely, for example while the model answers. Never rejects: what it
   * could not do, the first command does.
   */
  readonly begin: () => Promise<void>;
  /**
   * Runs a command and yields its output as it arrives. A slow reader slows the command down.
   * Returns how the command ended; by then nothing of its process tree is left. Aborting `signal`,
   * or leaving the loop early, stops the whole tree: SIGTERM, 500 ms, SIGKILL. The tree is also
   * ended if this process is killed. Outside the sandbox, a process is missed that left its session
   * and also cleared its environment.
   */
  readonly run: (spec: CommandSpec, signal: AbortSignal) => AsyncGenerator<CommandOutput, CommandOutcome>;
  /**
   * Like `run`, but on this process's own stdin, stdout and stderr. So `output.text` of the outcome
   * holds only the sandbox's own notices: a line that begins with `unroll:` for each thing that it
   * put aside, usually none. Show them to the user.
   */
  readonly runAttached: (spec: CommandSpec, signal: AbortSignal) => Promise<CommandOutcome>;
  /**
   * Starts a command that you can write to. It runs until it ends, its time is over, or `signal`
   * stops it.
   */
  readonly startBackgroundCommand: (
    spec: BackgroundCommandSpec,
    signal: AbortSignal,
  ) => Promise<BackgroundCommandStart>;
  /**
   * Removes the empty folders that were left in the workspace for a next command. Optional; call it when no command is likely to
   * follow soon. Never rejects: otherwise they go by themselves after ten seconds.
   */
  readonly rest: () => Promise<void>;
  /** Releases what the runner holds. Call it when no command runs any more. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

const required = {
  "policy.mode": "text",
  environment: "an object",
  elapsed: "a function",
  createId: "a function",
} as const;

/**
 * Creates a runner for one policy. Without `sandbox`, commands with `confinement: "policy"` are
 * refused. Disposing the runner ends everything that it started. Throws `TypeError` for options of
 * a wrong shape.
 */
export function createCommandRunner(options: CommandRunnerOptions): SandboxRunner {
  checkShape("createCommandRunner", options, required);
  const runnerId = options.createId();
  const group = createCommandGroup(options.policy, runnerId);
  const watchdog = createWatchdog(`${runnerId}.`, 0, {
    group: group.find,
    ...(reachesHosts(options.policy) && { newSecret: () => options.createId() }),
    ...(options.warn && { warn: options.warn }),
  });
  const paths = options.paths ?? noPathMemory;
  const preparer = createPreparer(options, { name: runnerId, paths });
  let commands = 0;

  /** A shortage may be over in a moment; a second one is the call's failure. */
  async function start(spec: CommandSpec, connection: Connection, signal: AbortSignal): Promise<Start> {
    const first = await attempt(spec, connection, signal);
    if (first.type === "started" || !isShortage(first.message)) return first;
    await pause(signal);
    return signal.aborted ? first : attempt(spec, connection, signal);
  }

  async function attempt(spec: CommandSpec, connection: Connection, signal: AbortSignal): Promise<Start> {
    checkShape("run", { spec }, { "spec.argv": "a list", "spec.cwd": "text" });
    const marker = `${runnerId}.${(commands += 1)}`;
    const prepared = await prepare(toCommand(options, spec, { connection, marker }), spec, {
      options,
      preparer,
      group,
      paths,
    });
    if (prepared.type === "refused") return toRefusal(prepared.reason);
    // The process that starts commands is in their group too, and should be the last one that the
    // system kills there.
    const launch = { ...prepared.plan, ...(group.find() && { endsFirst: true }), marker };
    // Without a sandbox no launcher reads anything.
    const stateFolder = options.sandbox?.stateFolder ?? "/";
    const bounds = { ...toBounds(options, spec), signal };
    const readHeld = group.watch();
    const started = await startProcess(launch, connection, {
      ...bounds,
      watchdog,
      stateFolder,
      spareFolder: findSpareFolder(options.environment),
      findInit,
      ...(prepared.door && { accept: prepared.door.accept }),
    }).catch(async (error: unknown) => {
      await prepared.settle();
      const reason = describeThrown(error);
      if (!isShortage(reason)) throw error;
      return { type: "failed", reason: "other", message: reason } as const;
    });
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
    if (started.type !== "started") return unlessGivenUp(started, signal);
    return yield* follow(started, () => attempt(spec, connection, signal), signal);
  }

  return {
    begin: async () => preparer?.begin().catch(() => {}),
    run: (spec, signal) => run(spec, { type: "output" }, signal),
    async runAttached(spec, signal) {
      return drain(run(spec, { type: "inherited" }, signal));
    },
    async startBackgroundCommand(spec, signal) {
      const connection: Connection = spec.terminal ? { type: "terminal", ...spec.terminal } : { type: "pipes" };
      const started = await start(spec, connection, signal);
      if (started.type !== "started") return started;
      return openSession(started, () => attempt(spec, connection, signal), signal);
    },
    rest: async () => preparer?.clearUp(),
    async [Symbol.asyncDispose]() {
      await preparer?.dispose();
      await watchdog.close();
      await group.close();
    },
  };
}

function reachesHosts(policy: SandboxPolicy): boolean {
  return policy.mode === "workspace-write" && policy.network.type === "hosts";
}

/** Its clock, its time limit, and how much of its output is kept. */
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
  readonly paths: PathMemory;
}

async function prepare(
  command: InnerCommand,
  spec: CommandSpec,
  { options: { policy, hosts = {} }, preparer, group, paths }: Means,
): Promise<Preparation> {
  if (spec.confinement === "none" || policy.mode === "danger-full-access") {
    await preparer?.clearUp();
    return prepareUnconfined(command, paths);
  }
  const door = openHostDoor(spec, policy, hosts);
  return (
    preparer?.prepare(command, { limits: group.limits(), door }) ?? {
      type: "refused",
      reason: explainMissing(policy.mode),
    }
  );
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
    // When stdin is a socket, a first-level bash takes itself for a remote login and reads its
    // start-up files.
    ...(type === "pipes" && { SHLVL: "1" }),
    ...environment,
    ...(type === "terminal" && { TERM: "xterm-256color" }),
  };
}

interface Started {
  readonly type: "started";
  readonly process: RunningProcess;
  readonly prepared: PreparedCommand;
  readonly readHeld: ReturnType<CommandGroup["watch"]>;
}

type Start = Started | NotRun;

/** In ms: how long a shortage may take to pass. */
const shortageMs = 200;

async function pause(signal: AbortSignal): Promise<void> {
  await delay(shortageMs, undefined, { signal }).catch(() => {});
}

/** Where the system lacks something, the model hears it, and nobody is asked to run the command outside the sandbox. */
function toRefusal(reason: string): NotRun {
  if (isShortage(reason)) return { type: "not_started", message: reason };
  return { type: "refused", message: `The command was not run: ${reason}` };
}

const notBegun: CommandOutcome = {
  type: "aborted",
  durationMs: 0,
  output: { text: "", totalBytes: 0, totalLines: 0, omittedBytes: 0, omittedLines: 0 },
};

/** The launcher may meet a shortage before it starts the command: then it is started once more. */
async function* follow(
  first: Started,
  again: () => Promise<Start | null>,
  signal: AbortSignal,
): AsyncGenerator<CommandOutput, CommandOutcome> {
  const outcome = yield* readSession(first);
  if (outcome.type !== "not_started" || !isShortage(outcome.message)) return outcome;
  await pause(signal);
  const second = signal.aborted ? null : await again();
  if (second === null) return outcome;
  return second.type === "started" ? yield* readSession(second) : unlessGivenUp(second, signal);
}

function openSession(
  started: Started,
  again: () => Promise<Start>,
  signal: AbortSignal,
): Extract<BackgroundCommandStart, { readonly type: "opened" }> {
  let { process } = started;
  let isWritten = false;
  /** Input is lost with the launcher that was to pass it on. */
  const startAgain = async (): Promise<Start | null> => {
    const second = isWritten ? null : await again();
    if (second?.type === "started") ({ process } = second);
    return second;
  };
  const write: RunningProcess["write"] = (text) => {
    isWritten = true;
    process.write(text);
  };
  const output = follow(started, startAgain, signal);
  return { type: "opened", session: { write, resize: (size) => process.resize(size), output } };
}

/** An aborted command needs no reason why it did not start. */
function unlessGivenUp(outcome: NotRun, { aborted }: AbortSignal): CommandOutcome {
  return aborted && outcome.type === "not_started" ? notBegun : outcome;
}

async function* readSession({ process, prepared, readHeld }: Started): AsyncGenerator<CommandOutput, CommandOutcome> {
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

/** One line for each notice, after `text`. */
function toLines(notices: readonly string[], text: string): string {
  const begin = notices.length === 0 || text === "" || text.endsWith("\n") ? "" : "\n";
  return begin + notices.map((notice) => `unroll: ${notice}\n`).join("");
}

/** Null: the policy needs no sandbox, or there is no backend. */
function createPreparer(
  { policy, sandbox, environment }: CommandRunnerOptions,
  own: Pick<PreparerOptions, "name" | "paths">,
): CommandPreparer | null {
  if (sandbox === undefined || policy.mode === "danger-full-access") return null;
  return createCommandPreparer({ ...sandbox, policy, home: environment["HOME"] ?? null, ...own });
}

function explainMissing(mode: SandboxMode): string {
  return (
    `the sandbox mode is ${mode}, and no sandbox is available here. ` +
    `Approve the command to run outside the sandbox, or set sandbox_mode = "danger-full-access".`
  );
}

/** The process that the launcher has reported so far; launchers other than bubblewrap report none. */
function findInit(status: string): number | null {
  return parseBubblewrapStatus(status).init;
}
