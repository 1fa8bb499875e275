import type { ResolvedConfig } from "@unroll/config";
import { runTurn, type ThreadState } from "@unroll/core";
import { createSerialQueue, followSignals } from "@unroll/flow";
import { toUserItems } from "@unroll/prompt";
import type {
  McpServerStatus,
  NumberedEvent,
  ResponseItem,
  ThreadEvent,
  TurnOutcome,
  UserInput,
} from "@unroll/protocol";
import type { BackgroundCommandList } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { Budget } from "../guard/budget.ts";
import type { ThreadBounds } from "../sub-agent/thread-bounds.ts";
import { toRecordedSettings } from "../settings/continue-settings.ts";
import { checkInput } from "../check-options.ts";
import { createRun, type OutputOptions, type RunOptions, type SettledRunOptions } from "../turn/create-run.ts";
import type { ThreadTurn } from "../turn/turn.ts";
import { createThreadCompaction, type ThreadCompaction } from "./thread-compaction.ts";
import { rewindThread } from "./rewind-thread.ts";
import type { Serving, ServingOptions, ThreadRoom } from "./serving.ts";
import { createThreadEnd, createTurnSlot, type ThreadEnd } from "./thread-end.ts";
import type { EventsOptions } from "../base/thread-feed.ts";
import type { ProjectContextWatch } from "./watch-project-context.ts";
import { checkRoom, describeLost } from "./waiting-words.ts";
import { settleChange, type ThreadChangeOptions } from "../settings/settle-change.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";

/**
 * One conversation: its transcript, tools and connections. Close it when it is no longer used: what runs is stopped, and
 * whatever is asked of it then throws `HarnessError` `closed`.
 */
export interface Thread extends ThreadCompaction, AsyncDisposable {
  /** A UUID of version 7. */
  readonly id: string;
  /** Its settings as they are now: with what was changed, and with what a resumed thread keeps. */
  readonly config: ResolvedConfig;
  /** As a person named it; null: nobody has. */
  readonly name: string | null;
  /** Names it, for lists of threads; null takes the name away. Kept with the thread, and so not before its first turn. */
  rename(name: string | null): void;
  /**
   * Runs one turn. Before its events come those since the turn before: for the first `thread.started` and a `warning` for
   * all that was skipped or not understood while the thread was opened. It ends with one terminal event. Returns how it
   * ended. Throws `HarnessError` `thread_busy` while another turn runs. Leaving early stops everything, and so does closing
   * the thread: it returns `interrupted` then, and its terminal event goes to the readers of `events` alone.
   *
   * Awaited, it gives a `TurnResult`. It rejects then with `HarnessError` `turn_failed` (its `turnError` says why) where the
   * turn failed, with the reason of `signal` where that aborted, and with `turn_interrupted` where it was ended otherwise.
   */
  run(input: UserInput, options?: RunOptions): ThreadTurn;
  /** The same; `value` of the result is the answer as `output` gives it. */
  run<Value>(input: UserInput, options: OutputOptions<Value>): ThreadTurn<Value>;
  /**
   * Queues what a person says while a turn runs: it goes into the turn's next request, or else in front of the next turn's
   * input, in the order in which it was sent; what is sent when a turn has begun stands behind its input. Resolves when it is
   * queued, and kept with the thread: a thread that goes on in another process has it waiting still, and tells it by a
   * `warning`; where nothing is kept one says at the end that it is lost. Rejects where its skills cannot be read, and with
   * `HarnessError` `too_much_waits` where more than 32 MiB would wait.
   */
  send(input: UserInput): Promise<void>;
  /**
   * Changes settings from the next request and the next call on. The model is told by a message of what really changed. `cwd` is relative to
   * the one that holds, and takes its project and your trust in that with it. Returns the config that holds then. Throws `HarnessError`
   * `invalid_options` for what there is not.
   */
  change(change: ThreadChangeOptions): ResolvedConfig;
  /**
   * Lets another model answer from the next turn on, as an epoch of the thread: its requests begin anew, commands that were left running and
   * settings stay. `config`: `{ model: "…" }`, or a whole one; folder, sandbox and approvals stay as they are. The person is
   * asked first where something was sent. Returns the config that holds then. Throws `HarnessError` `thread_busy` while a turn runs,
   * `other_model` without a yes, and what opening a thread with that model throws; the thread goes on as it was then.
   */
  chooseModel(config: ResolvedConfig | ConfigSettings, options?: ModelChoiceOptions): Promise<ResolvedConfig>;
  /**
   * Takes the last so many turns back, all where there are fewer: the next request begins as an earlier one did. Files stay as they are;
   * commands that were left running end. Returns how many were taken back. Told by `epoch.opened`. Throws `HarnessError` `thread_busy` while
   * a turn runs, and `no_thread_store` where nothing is kept of the thread.
   */
  rewind(turns: number): Promise<number>;
  /**
   * All events from now on, numbered, also between turns, until the thread is closed or `signal` aborts; before the first
   * turn those since the thread was opened too. Any number of readers, each at its own pace: one that falls 10,000 events
   * behind loses the oldest, and is told so by `events.skipped`. Nothing waits for a reader. `ofTurns: false` leaves out what
   * whoever runs the turns is given anyway.
   */
  events(options?: EventsOptions): AsyncGenerator<NumberedEvent, void>;
  /** Calls back once when the thread closes, which waits for it; at once where it is closed. Returns what takes it back. */
  onClose(listener: () => void | Promise<void>): () => void;
  /**
   * What it may still spend: of the turn that runs, else of the thread. A thread that is opened for it gets a part of it
   * (`budget.child`), or by `parent` all of it.
   */
  readonly budget: Budget;
  /** What a thread that has this one for its `parent` may at most: what this one may, at each moment. */
  readonly bounds: ThreadBounds;
  /** The commands that the model left running. They end with the thread, not with a turn. */
  readonly backgroundCommands: BackgroundCommandList;
  /** The MCP servers of the config, as they are now. */
  mcpServers(): readonly McpServerStatus[];
}

/** Whether a thread may begin its requests anew, and what withdraws the question. */
interface ModelChoiceOptions {
  /** Absent: the person is asked, and without a yes the thread keeps its model. */
  readonly allowCacheBreak?: boolean;
  /** Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/** What a thread is made of; put together by `startThread`. */
export interface ThreadParts extends ThreadRoom {
  /** What hangs on the model, as it is now. */
  readonly serving: () => Serving;
  /** Throws what opening a thread with this model throws. */
  readonly changeModel: (
    config: ResolvedConfig | ConfigSettings,
    choice: Pick<ServingOptions, "isSent" | "allowsBreak" | "signal">,
  ) => Promise<void>;
  /** Takes out what the model has to be told of before the next request. */
  readonly takePending: () => readonly ResponseItem[];
  readonly standing: ProjectContextWatch;
  /** Closes what the parts hold open, in order. */
  readonly close: () => Promise<void>;
}

export function createThread(parts: ThreadParts): Thread {
  const { own, settings, state, feed } = parts;
  const { wrapGate, wrapRunner, afterCall } = own;
  const end = createThreadEnd();
  const turns = createTurnSlot(end);
  /** What was sent first comes first, however long its skills take to read. */
  const mail = createSerialQueue();
  /** The last turn failed since the thread cannot be written down: that is not said again when it closes. */
  let isUnwrittenTold = false;
  let isSent = own.entries.length > 0;

  const run = (
    items: readonly ResponseItem[],
    ofTurn: OwnTurnParts,
    options: SettledRunOptions,
  ): AsyncGenerator<ThreadEvent, TurnOutcome> => {
    isSent = true;
    return runItems({ ...parts, ...ofTurn }, items, { ...options, closing: end.signal });
  };

  async function* runInput(input: UserInput, options: SettledRunOptions): AsyncGenerator<ThreadEvent, TurnOutcome> {
    await mail.idle();
    // what is sent from here on was said behind the input, which takes its time to read
    const sentBefore = state.inbox.items.length;
    settings.beginTurn();
    for (const message of await parts.standing.refresh()) feed.tell({ type: "warning", message });
    const ofTurn = { guards: parts.serving().guards, takePending: parts.takePending, sentBefore };
    const outcome = yield* run(await readInput(input, parts), ofTurn, options);
    isUnwrittenTold = outcome.type === "failed" && outcome.error.code === "journal_failed";
    return outcome;
  }

  const close = async (): Promise<void> =>
    end.close({
      async before() {
        await turns.stop();
        await mail.idle(); // a message that is still being read is kept, too
      },
      async after() {
        await settleAndClose(parts).catch((error: unknown) => {
          if (!isUnwrittenTold) throw error;
        });
      },
    });

  return {
    id: own.id,
    get config() {
      return settings.config;
    },
    get name() {
      return state.notes.get("name");
    },
    rename(name) {
      end.checkOpen();
      state.notes.set("name", name);
    },
    run: createRun((input, options) => turns.run(() => runInput(input, options))),
    ...createThreadCompaction(parts, turns, (guards, signal) => run([], { guards, takePending: () => [] }, { signal })),
    async send(input) {
      checkInput("send", input);
      end.checkOpen();
      return mail.run(async () => queueInput(await readInput(input, parts), state));
    },
    change: (change) => changeSettings(parts, end, change),
    async chooseModel(config, { allowCacheBreak: allowsBreak = false, signal } = {}) {
      using wanted = followSignals([end.signal, ...(signal ? [signal] : [])]);
      await turns.hold(() => parts.changeModel(config, { isSent, allowsBreak, signal: wanted.signal }));
      return settings.config;
    },
    rewind: (count) => turns.hold(async () => (isSent ? rewindThread(parts, parts.serving(), count) : 0)),
    events: (options) => feed.read(options),
    onClose: (listener) => end.onClose(listener),
    get budget() {
      return parts.budget.current;
    },
    bounds: { settings, wrapGate, wrapRunner, afterCall },
    backgroundCommands: parts.tools.backgroundCommands,
    mcpServers: () => parts.shared.mcpServers(),
    [Symbol.asyncDispose]: close,
  };
}

async function queueInput(items: readonly ResponseItem[], { inbox, journal }: ThreadState): Promise<void> {
  if (items.length === 0) return;
  checkRoom(inbox.items, items);
  inbox.put(items);
  await journal.settled().catch(() => {}); // where that fails, the next request says so
}

function changeSettings(
  { settings, feed, state }: ThreadParts,
  end: ThreadEnd,
  change: ThreadChangeOptions,
): ResolvedConfig {
  const settled = settleChange(change, settings.config);
  end.checkOpen();
  for (const message of settings.change(settled)) feed.tell({ type: "warning", message });
  state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config) });
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

interface OwnTurnParts extends Pick<Serving, "guards">, Pick<ThreadParts, "takePending"> {
  /** As of `TurnOptions`. */
  readonly sentBefore?: number;
}

/** A turn with its own budget. `closing`: the end of the thread. */
async function* runItems(
  parts: ThreadParts & OwnTurnParts,
  items: readonly ResponseItem[],
  options: SettledRunOptions & { readonly closing: AbortSignal },
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  const { feed, settings } = parts;
  const turnId = parts.shared.host.newId();
  const serving = parts.serving();
  const { guards, takePending } = parts;
  const ports = {
    ...serving,
    state: parts.state,
    guards,
    takePending,
    onLeft: (events: readonly ThreadEvent[]) => feed.tellLeft(events),
  };
  using run = parts.budget.beginRun();
  using wanted = followSignals([options.signal, options.closing, run.signal]);
  const turnOptions = {
    turnId,
    contextWindow: settings.config.modelFamily.contextWindow,
    contextWindowOrigin: settings.config.modelFamily.windowOrigin,
    ...(parts.sentBefore !== undefined && { sentBefore: parts.sentBefore }),
    ...(await toTurnOptions(settings, { ...options, signal: wanted.signal })),
    explainAbort: () => (options.signal.aborted || options.closing.aborted ? null : run.explainAbort()),
  };
  try {
    return yield* feed.tellTurn(turnId, run.watch(serving.window.watch(runTurn(ports, items, turnOptions))));
  } finally {
    parts.tools.tellEnds(); // of commands that ended while the turn did
  }
}

async function readInput(
  input: UserInput,
  { standing, promptFiles, feed, settings }: ThreadParts,
): Promise<readonly ResponseItem[]> {
  const { model, provider, modelFamily } = settings.config;
  if (!modelFamily.supportsImages && typeof input !== "string" && input.some(({ type }) => type === "image")) {
    const message = provider.takes.images
      ? `The model ${model} takes no images: leave the image out, name another model, or set models.${JSON.stringify(model)}.supports_images = true where it does.`
      : `The server of ${provider.name} takes no images: leave the image out, or name another provider. If supports_images is not false, it refused one before: start a new thread, after \`unroll models --refresh\` if it takes images now.`;
    throw new HarnessError("images_unsupported", message);
  }
  const { items, warnings } = await toUserItems(input, standing.skills, promptFiles);
  for (const message of warnings) feed.tell({ type: "warning", message });
  return items;
}

async function toTurnOptions(
  settings: ThreadSettings,
  { signal, outputSchema, schemaRepairs = 2 }: SettledRunOptions,
): Promise<Pick<Parameters<typeof runTurn>[2], "signal" | "request" | "answer">> {
  if (outputSchema === undefined) return { signal, request: () => settings.requestTail() };
  const { checkAnswer } = await import("../schema/check-answer.ts");
  return {
    signal,
    request: () => ({ ...settings.requestTail(), outputSchema }),
    answer: { check: (finalMessage) => checkAnswer(finalMessage, outputSchema), repairs: schemaRepairs },
  };
}
