import type { ResolvedConfig } from "@unroll/config";
import type { ThreadState } from "@unroll/core";
import { createSerialQueue, followSignals } from "@unroll/flow";
import { toUserItems } from "@unroll/prompt";
import {
  type McpServerStatus,
  type NumberedEvent,
  readUserInput,
  type ResponseItem,
  type ThreadEvent,
  type TurnOutcome,
  type UserInput,
} from "@unroll/protocol";
import type { BackgroundCommandList } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { AgentList, AgentPool } from "../agents/agent-pool.ts";
import { createSpawn, type Spawn } from "../agents/spawn.ts";
import type { Budget } from "../guard/budget.ts";
import type { Sandbox } from "../sandbox/create-sandbox.ts";
import { tellSandbox } from "./tell-sandbox.ts";
import type { ThreadBounds } from "../sub-agent/thread-bounds.ts";
import { toRecordedSettings } from "../settings/continue-settings.ts";
import { checkInput } from "../check-options.ts";
import { createRun, type OutputOptions, type RunOptions, type SettledRunOptions } from "../turn/create-run.ts";
import type { ThreadTurn } from "../turn/turn.ts";
import { createThreadCompaction, type ThreadCompaction } from "./thread-compaction.ts";
import { rewindThread } from "./rewind-thread.ts";
import { type OwnTurnParts, runItems, type RunningParts } from "./run-items.ts";
import type { ServingOptions } from "./serving.ts";
import { createThreadEnd, createTurnSlot, type ThreadEnd } from "./thread-end.ts";
import type { EventsOptions } from "../base/thread-feed.ts";
import type { ProjectContextWatch } from "./watch-project-context.ts";
import { checkRoom, describeLost } from "./waiting-words.ts";
import { settleChange, type ThreadChangeOptions } from "../settings/settle-change.ts";

/**
 * One saved or unsaved exchange with a model: its transcript, tools and connections. Close it when
 * you no longer need it: everything running is stopped, and further calls throw `HarnessError`
 * `closed`.
 */
export interface Thread extends ThreadCompaction, AsyncDisposable {
  /** A UUID of version 7. */
  readonly id: string;
  /** The current settings, including changes and what a resumed thread keeps. */
  readonly config: ResolvedConfig;
  /** The name that the user gave it; null: none. */
  readonly name: string | null;
  /**
   * Sets the name for lists of threads; null removes it. It is saved with the thread, so not before
   * the first turn.
   */
  rename(name: string | null): void;
  /** Values that the program saves with the thread. */
  readonly notes: ProgramNotes;
  /**
   * Runs one turn. First come the events since the previous turn; for the first turn these are
   * `thread.started` and a `warning` for everything that was skipped or not understood when the
   * thread was opened. The last event is one terminal event. As a generator it returns how the turn
   * ended. Throws `HarnessError` `thread_busy` while another turn runs. Leaving the loop early
   * stops everything. So does closing the thread: the turn then returns `interrupted`, and its
   * terminal event goes only to the readers of `events`.
   *
   * Awaited, it gives a `TurnResult`. If the turn failed, it rejects with `HarnessError`
   * `turn_failed`, and `turnError` says why. If `signal` aborted, it rejects with the signal's
   * reason; if something else ended the turn, with `turn_interrupted`.
   */
  run(input: UserInput, options?: RunOptions): ThreadTurn;
  /** The same; `value` of the result is the response, parsed by `output`. */
  run<Value>(input: UserInput, options: OutputOptions<Value>): ThreadTurn<Value>;
  /**
   * Ids of calls that wait for your answer, because another process ended or you answer later (`postponed`); nothing of them has run.
   * `run([])` asks again and continues.
   * Anything else ends them, and the model learns that they were not run.
   */
  readonly waitingCalls: readonly string[];
  /**
   * Queues a user message. While a turn runs, it goes into the turn's next request; otherwise in
   * front of the next turn's input. Messages keep their order, and a message sent after a turn
   * began comes after that turn's input. Resolves when the message is queued and saved. If the
   * thread is resumed in another process, the message still waits, and a `warning` says so. If the
   * thread is not saved, a warning at the end says that the message is lost. Rejects if its skills
   * cannot be read, and with `HarnessError` `too_much_waits` if more than 32 MiB would wait.
   */
  send(input: UserInput): Promise<void>;
  /**
   * Takes back the messages of `send` that no request has had yet, except those of which the
   * program wrote all parts (`isAdded`). Returns how many it took: the last ones that were sent.
   */
  unsend(): Promise<number>;
  /**
   * Changes settings from the next request and the next call on. A message tells the model what
   * really changed. `cwd` is relative to the current folder, and brings that folder's project and
   * your trust in it. Returns the config that is now in force. Throws `HarnessError`
   * `invalid_options` for unknown names and values.
   */
  change(change: ThreadChangeOptions): ResolvedConfig;
  /**
   * Switches the model from the next turn on, as a new epoch of the thread: everything is resent
   * uncached; running background commands and settings stay. `config`: `{ model: "gpt-5" }`, or a
   * whole config; folder, sandbox and approvals do not change. If anything was sent before, the
   * person is asked first. Returns the config that is now in force. Throws `HarnessError`
   * `thread_busy` while a turn runs, `other_model` without an approval, and the errors of opening a
   * thread with that model. After an error, the thread stays as it was.
   */
  chooseModel(config: ResolvedConfig | ConfigSettings, options?: ModelChoiceOptions): Promise<ResolvedConfig>;
  /**
   * Removes the last `turns` turns, or all if there are fewer: the next request begins as an
   * earlier one did. Files do not change; background commands end. Returns how many turns were
   * removed. Announced by `epoch.opened`. Throws `HarnessError` `thread_busy` while a turn runs,
   * and `no_thread_store` if the thread is not saved.
   */
  rewind(turns: number): Promise<number>;
  /**
   * All events from now on, numbered, also between turns, until the thread is closed or `signal`
   * aborts. Before the first turn, the events since the thread was opened are included. Any number
   * of readers, each at its own pace: a reader that falls 10,000 events behind loses the oldest,
   * and gets `events.skipped`. Nothing waits for a reader. `ofTurns: false` leaves out events that
   * the caller of the turn gets anyway.
   */
  events(options?: EventsOptions): AsyncGenerator<NumberedEvent, void>;
  /**
   * Calls `listener` once when the thread closes, which waits for it; immediately if it is closed.
   * Returns a function that removes the listener.
   */
  onClose(listener: () => void | Promise<void>): () => void;
  /**
   * The remaining budget: of the running turn, otherwise of the thread. A thread that you open for
   * it can get a part (`budget.child`), or all of it by `parent`.
   */
  readonly budget: Budget;
  /** The most that a child thread may do: what this thread may do, at each moment. */
  readonly bounds: ThreadBounds;
  /** Finds out what confines commands under the current settings (`report`), also in sentences for you (`explain`), or why they are refused. */
  readonly sandbox: Pick<Sandbox, "report" | "explain" | "findRefusal">;
  /**
   * Starts a sub-agent for the program: a thread with this one as its parent, within `[agents]` and the budget. The model
   * does not get its report. It stops with the thread, and when a turn of the thread is interrupted. Throws `HarnessError`
   * `agent_not_started`.
   */
  readonly spawn: Spawn;
  /** The sub-agents that the thread started, also in other processes. */
  readonly agents: AgentList<Thread>;
  /** The commands that the model left running. They end with the thread, not with a turn. */
  readonly backgroundCommands: BackgroundCommandList;
  /**
   * Calls a tool for the program, judged, masked and limited like a call of the model, which does not learn of it. Also while a turn runs.
   * Yields the events of the call, which nobody else gets. Throws `HarnessError` `closed`.
   */
  callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<ThreadEvent, void>;
  /** The current status of the config's MCP servers. */
  mcpServers(): readonly McpServerStatus[];
}

/** Values of a program, saved with the thread by names that the program chooses. A fork starts with the same ones. */
interface ProgramNotes {
  /** Undefined: none has this name. */
  get(name: string): unknown;
  /** `value`: anything that JSON can hold. Undefined removes it. */
  set(name: string, value: unknown): void;
}

/** Options of a model switch. */
interface ModelChoiceOptions {
  /** Absent: the person is asked, and without an approval the thread keeps its model. */
  readonly allowCacheBreak?: boolean;
  /** Cancels the question. Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/** The parts of a thread; `startThread` assembles them. */
export interface ThreadParts extends RunningParts {
  readonly agents: AgentPool<Thread>;
  /** The config; while a change of the model waits for an answer, the one with the earlier model. */
  readonly configInForce: () => ResolvedConfig;
  /** Throws the errors of opening a thread with this model. */
  readonly changeModel: (
    config: ResolvedConfig | ConfigSettings,
    choice: Pick<ServingOptions, "isSent" | "allowsBreak" | "fallback" | "signal">,
  ) => Promise<void>;
  /** Removes and returns messages for the model before the next request. */
  readonly takePending: () => readonly ResponseItem[];
  readonly standing: ProjectContextWatch;
  /** Closes what the parts hold open, in order. */
  readonly close: () => Promise<void>;
}

type RunItems = (
  items: readonly ResponseItem[],
  ofTurn: OwnTurnParts,
  options: SettledRunOptions,
) => AsyncGenerator<ThreadEvent, TurnOutcome>;

function toOwnTurn(parts: ThreadParts, own: Pick<OwnTurnParts, "sentBefore" | "resumesCalls">): OwnTurnParts {
  return { ...own, guards: () => parts.serving().guards, takePending: parts.takePending };
}

export function createThread(parts: ThreadParts): Thread {
  const { own, settings, state, feed } = parts;
  const end = createThreadEnd();
  const turns = createTurnSlot(end);
  /** Keeps messages in the order in which they were sent, however long their skills take to read. */
  const mail = createSerialQueue();
  /** The last turn failed because the thread cannot be saved. That is not repeated when it closes. */
  let isUnwrittenTold = false;
  let isSent = own.entries.length > 0;

  const run: RunItems = (items, ofTurn, options) => {
    isSent = true;
    return runItems({ ...parts, ...ofTurn }, items, { ...options, closing: end.signal });
  };

  async function* runInput(input: UserInput, options: SettledRunOptions): AsyncGenerator<ThreadEvent, TurnOutcome> {
    await mail.idle();
    // Later messages belong after the input, which takes time to read.
    const sentBefore = state.inbox.items.length;
    settings.beginTurn();
    for (const message of await parts.standing.refresh()) feed.tell({ type: "warning", message });
    const items = await readInput(input, parts);
    const outcome = yield* run(items, toOwnTurn(parts, { sentBefore, resumesCalls: items.length === 0 }), options);
    isUnwrittenTold = outcome.type === "failed" && outcome.error.code === "journal_failed";
    return outcome;
  }

  const close = async (): Promise<void> =>
    end.close({
      async before() {
        await Promise.all([turns.stop(), parts.agents.stopAll()]);
        await mail.idle(); // a message that is still being read is saved, too
      },
      after: () =>
        settleAndClose(parts).catch((error: unknown) => {
          if (!isUnwrittenTold) throw error;
        }),
    });

  return {
    id: own.id,
    get config() {
      return parts.configInForce();
    },
    get name() {
      return state.notes.get("name");
    },
    get waitingCalls() {
      return state.waitingCalls.map(({ call_id }) => call_id);
    },
    rename(name) {
      end.checkOpen();
      state.notes.set("name", name);
    },
    notes: createProgramNotes(state, end),
    run: createRun((input, options) => turns.run(() => runInput(input, options))),
    ...createThreadCompaction(parts, turns, (guards, signal) => run([], { guards, takePending: () => [] }, { signal })),
    async send(input) {
      checkInput("send", input);
      end.checkOpen();
      return mail.run(async () => queueInput(await readInput(input, parts), parts));
    },
    unsend: () => mail.run(async () => emptyInbox(state)),
    change: (change) => changeSettings(parts, end, change),
    async chooseModel(config, { allowCacheBreak: allowsBreak = false, signal = end.signal } = {}) {
      using wanted = followSignals([end.signal, signal]);
      await turns.hold(() => parts.changeModel(config, { isSent, allowsBreak, fallback: null, signal: wanted.signal }));
      return settings.config;
    },
    rewind: (count) => turns.hold(async () => (isSent ? rewindThread(parts, parts.serving(), count) : 0)),
    events: (options) => feed.read(options),
    onClose: (listener) => end.onClose(listener),
    get budget() {
      return parts.budget.current;
    },
    get sandbox() {
      return settings.sandbox;
    },
    bounds: toBounds(parts),
    spawn: createSpawn(parts.agents, end),
    agents: parts.agents,
    backgroundCommands: parts.tools.backgroundCommands,
    callTool: (...called) => callTool(parts, end, called),
    mcpServers: () => parts.shared.mcpServers(),
    [Symbol.asyncDispose]: close,
  };
}

function toBounds({
  settings,
  own: { wrapGate, wrapRunner, afterCall, tree, only, without },
}: ThreadParts): ThreadBounds {
  return { settings, wrapGate, wrapRunner, afterCall, tree, only, without };
}

async function* callTool(
  { serving, shared }: ThreadParts,
  end: ThreadEnd,
  [name, input, { signal }]: Parameters<Thread["callTool"]>,
): AsyncGenerator<ThreadEvent, void> {
  end.checkOpen();
  shared.backends.paths.forget();
  using wanted = followSignals([end.signal, signal]);
  const { newId } = shared.host;
  const call = { type: "function_call", call_id: newId(), name, arguments: JSON.stringify(input) } as const;
  yield* serving().tools.run([call], { signal: wanted.signal, nextItemId: newId });
}

function createProgramNotes({ notes }: ThreadState, end: ThreadEnd): ProgramNotes {
  return {
    get: (name) => notes.get("ofProgram")[name],
    set(name, value) {
      end.checkOpen();
      notes.set("ofProgram", { ...notes.get("ofProgram"), [name]: value });
    },
  };
}

async function queueInput(
  items: readonly ResponseItem[],
  { state: { inbox, journal }, agents }: ThreadParts,
): Promise<void> {
  if (items.length === 0) return;
  checkRoom(inbox.items, items);
  inbox.put(items);
  await journal.settled().catch(() => {}); // if this fails, the next request reports it
  agents.onMessage();
}

async function emptyInbox(state: ThreadState): Promise<number> {
  const { inbox } = state;
  let isTaken = false;
  let count = 0;
  const kept = inbox.drain().filter((item) => {
    const input = readUserInput(item);
    if (input !== null) isTaken = input.length > 0;
    if (input !== null && isTaken) count += 1;
    return !isTaken; // the skills of a message go with it
  });
  inbox.put(kept);
  await state.settle().catch(() => {}); // if this fails, the next request reports it
  return count;
}

function changeSettings(parts: ThreadParts, end: ThreadEnd, change: ThreadChangeOptions): ResolvedConfig {
  const { settings, feed, state, serving } = parts;
  const settled = settleChange(change, settings.config);
  end.checkOpen();
  const { sandbox } = settings;
  for (const message of settings.change(settled)) feed.tell({ type: "warning", message });
  tellSandbox(parts, sandbox);
  state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config, serving().account) });
  return settings.config;
}

async function settleAndClose({ own, state, feed, close }: ThreadParts): Promise<void> {
  const { items } = state.inbox;
  if (items.length > 0 && !own.isKept()) feed.tell({ type: "warning", message: describeLost(items) });
  try {
    await state.settle();
  } finally {
    await close().finally(() => feed.close());
  }
}

async function readInput(
  input: UserInput,
  { standing, promptFiles, feed, settings }: ThreadParts,
): Promise<readonly ResponseItem[]> {
  const { model, provider, modelFamily } = settings.config;
  if (!modelFamily.supportsImages && typeof input !== "string" && input.some(({ type }) => type === "image")) {
    const message = provider.takes.images
      ? `The model ${model} does not accept images: remove the image, choose another model, or set models.${JSON.stringify(model)}.supports_images = true if it does.`
      : `The server of ${provider.name} does not accept images: remove the image, or choose another provider. If supports_images is not false, it refused one before: run \`unroll models --refresh\` if it accepts images now, and start a new thread.`;
    throw new HarnessError("images_unsupported", message);
  }
  const { items, warnings } = await toUserItems(input, standing.skills, promptFiles);
  for (const message of warnings) feed.tell({ type: "warning", message });
  return items;
}
