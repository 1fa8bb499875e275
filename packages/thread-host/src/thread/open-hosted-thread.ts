import { resolve } from "node:path";
import { ConfigError, type ResolvedConfig } from "@unroll/config";
import type { Executor, Harness, Host, Thread, ThreadOptions } from "@unroll/harness";
import {
  openProgramModel,
  openProgramStore,
  type ProcessIo,
  type ProgramFlags,
  type ProgramModel,
  toOverride,
} from "@unroll/program";
import { type Journal, type JournalEntry, type Person, refusalOf, type StoredThread } from "@unroll/protocol";
import { createSideGate } from "@unroll/use-cases/side-question";
import { checkFolder } from "../check-folder.ts";
import { summarizeStored } from "../history/summarize-stored.ts";
import type { RequestedSettings, SettledSettings } from "../settings/requested-settings.ts";
import { findTopKey, markServers, toThreadFlags } from "../settings/to-thread-flags.ts";
import type { HarnessPool } from "./harness-pool.ts";
import { PlanMode } from "./plan-mode.ts";
import { createShownItems, type ShownItems } from "./shown-items.ts";
import type { AwakeThread } from "./thread-access.ts";
import type { ThreadClient } from "./thread-client.ts";
import type { HandleParts } from "./handle-parts.ts";
import { ThreadHandle } from "./thread-handle.ts";

/** Where a thread of a host comes from. `isEphemeral`: it is not saved. */
export type ThreadOrigin =
  | { readonly type: "new"; readonly isEphemeral: boolean }
  | { readonly type: "resumed"; readonly stored: StoredThread }
  /** A copy. `turns`: how many of its first turns the copy has; null: all. */
  | {
      readonly type: "forked";
      readonly stored: StoredThread;
      readonly turns: number | null;
      readonly isEphemeral: boolean;
    };

/** A thread to open. */
export interface ThreadRequest<Client extends ThreadClient = ThreadClient> {
  readonly origin: ThreadOrigin;
  readonly asked: RequestedSettings | SettledSettings;
  /** It exists before the thread: servers may ask it while the thread is opened. */
  readonly client: Client;
  /** The program's own parts of the thread. */
  readonly own?: Pick<ThreadOptions, "tools" | "gate" | "guards" | "waitForMcp" | "allowCacheBreak" | "loadModel">;
  /** Where its files and commands are. Absent: on this machine, in the sandbox. */
  readonly executor?: Executor;
}

export interface OpeningParts<Client extends ThreadClient> extends Pick<HandleParts<Client>, "registry" | "fork"> {
  readonly io: ProcessIo;
  readonly host: Host;
  readonly flags: ProgramFlags;
  readonly harnesses: HarnessPool;
  readonly signal: AbortSignal;
  readonly loadStored: (threadId: string) => Promise<StoredThread | null>;
}

/** `notices`: messages for the user. */
interface OpenedHandle<Client extends ThreadClient> {
  readonly thread: ThreadHandle<Client>;
  readonly notices: readonly string[];
}

export async function openHostedThread<Client extends ThreadClient>(
  parts: OpeningParts<Client>,
  request: ThreadRequest<Client>,
): Promise<OpenedHandle<Client>> {
  const { io, host, flags, harnesses, signal } = parts;
  const { origin, client, own = {}, executor = null } = request;
  const asked: RequestedSettings = "settled" in request.asked ? {} : request.asked;
  if (asked.cwd) await checkFolder(resolve(io.cwd, asked.cwd));
  await using opening = new AsyncDisposableStack();
  const wanted = origin.type === "new" ? asked : withRecorded(asked, origin.stored.entries, flags);
  const openModel = async (next: RequestedSettings | SettledSettings): Promise<ProgramModel> =>
    "settled" in next ? toModel(next) : openProgramModel(toThreadFlags(next, flags), host, { signal, io });
  const model = opening.use(
    await openModel("settled" in request.asked ? request.asked : wanted).catch((error: unknown) => {
      const isRecorded = Boolean(wanted.modelProvider) && !asked.modelProvider; // it may no longer be configured
      if (isRecorded && error instanceof ConfigError) return openModel({ ...wanted, modelProvider: null });
      throw error;
    }),
  );
  const config = origin.type === "new" || "settled" in request.asked ? model.config : markServers(model.config, asked);
  const store = await openProgramStore({ ...flags, codexHome: config.codexHome }, io);
  const isEphemeral = origin.type !== "resumed" && (origin.isEphemeral || config.historyPersistence !== "save-all");
  const [shown, plan, unsaved] = [createShownItems(), new PlanMode(), createMemoryJournal()];
  const options: ThreadOptions = {
    ...own,
    // a thread that is resumed keeps its instructions: all its requests start with them
    ...(origin.type === "new" && asked.baseInstructions ? { instructions: asked.baseInstructions } : {}),
    person: createWirePerson(client, shown),
    gate: (gate) => plan.gate(own.gate?.(gate) ?? gate),
    loadAgentModel: async (named, now) => {
      const { loadOtherModel } = await import("@unroll/use-cases/models");
      return loadOtherModel(named, { flags: toThreadFlags(wanted, flags), host, now });
    },
    ...(isEphemeral && { ephemeral: true, journal: unsaved }),
    signal,
  };
  const openIn = async (open: (harness: Harness) => Promise<Thread>, current: ResolvedConfig): Promise<AwakeThread> => {
    await using stack = new AsyncDisposableStack();
    const { harness } = stack.use(await harnesses.hold({ config: current, store, executor }));
    const thread = stack.use(await open(harness));
    const held = stack.move();
    return { thread, [Symbol.asyncDispose]: () => held.disposeAsync() };
  };
  // to name another model or provider is to agree to its cost
  const first = {
    ...options,
    config,
    allowCacheBreak: own.allowCacheBreak === true || Boolean(asked.model ?? asked.modelProvider),
  };
  const awake = await openIn((harness) => openOrigin(harness, origin, first), config);
  opening.move();
  const { id } = awake.thread;
  plan.resume(awake.thread);
  const thread = new ThreadHandle<Client>({
    ...parts,
    ...describeOrigin(origin, io),
    first: awake,
    wake: (current) => openIn((harness) => harness.resumeThread(id, { ...options, config: current }), current),
    openAside: (current, entries) =>
      openIn((harness) => harness.openThread({ ...options, ...toAside(own), config: current, entries }), current),
    model,
    openModel: (other, { cwd }) => openModel("settled" in other ? other : { ...wanted, ...other, cwd }),
    loadStored: () => parts.loadStored(id),
    async readEntries() {
      if (isEphemeral) return [...readPast(origin), ...unsaved.entries];
      return (await parts.loadStored(id))?.entries ?? readPast(origin);
    },
    client,
    plan,
    isEphemeral,
    isStored: origin.type === "resumed",
    clock: io,
    newId: host.newId,
    shown,
  });
  return { thread, notices: model.notices };
}

/** The options of an unsaved copy that answers a side question. */
function toAside({ gate }: NonNullable<ThreadRequest["own"]>): ThreadOptions {
  return {
    person: null,
    gate: (inner) => createSideGate(gate?.(inner) ?? inner),
    ephemeral: true,
    journal: createMemoryJournal(),
  };
}

/** The program itself keeps the model running. */
function toModel({ settled }: SettledSettings): ProgramModel {
  return { config: settled, notices: [], [Symbol.asyncDispose]: async () => {} };
}

/** The journal of an ephemeral thread. */
function createMemoryJournal(): Journal & { readonly entries: readonly JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return { entries, record: (entry) => void entries.push(entry), settled: async () => {} };
}

/** The entries that a thread starts with. */
function readPast(origin: ThreadOrigin): readonly JournalEntry[] {
  if (origin.type === "new") return [];
  const { entries } = origin.stored;
  if (origin.type === "resumed" || origin.turns === null) return entries;
  const starts = entries.flatMap(({ type }, at) => (type === "turn.started" ? [at] : []));
  return entries.slice(0, starts[origin.turns]);
}

/**
 * Unless the request says otherwise, a thread keeps its folder, its model and the provider of that. A provider of the command line holds
 * for all threads, and another provider seldom has the model. A model of the command line is one for new threads: a server's saved
 * threads would be sent again uncached.
 */
function withRecorded(
  asked: RequestedSettings,
  entries: readonly JournalEntry[],
  flags: ProgramFlags,
): RequestedSettings {
  const recorded = entries.findLast((entry) => entry.type === "settings")?.settings;
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const place = { ...asked, cwd: asked.cwd ?? recorded?.cwd ?? null };
  const keys = [...(flags.config ?? []).map((text) => toOverride(text).key), ...Object.keys(asked.config ?? {})];
  const isProviderNamed =
    flags.oss || flags.localProvider || asked.modelProvider || keys.some((key) => findTopKey(key) === "model_provider");
  // the demo model stands in only where there is no key
  if (opened?.provider === "demo" || asked.model) return place;
  const model = recorded?.model ?? null;
  return isProviderNamed ? place : { ...place, model, modelProvider: opened?.provider ?? null };
}

/** The client of a thread as its `Person`. A client that refuses a question, is gone or gives no valid answer denies it. */
function createWirePerson(client: ThreadClient, shown: ShownItems): Person {
  return {
    takes: client.takes ?? [
      "command.approval",
      "patch.approval",
      "tool.approval",
      "host.approval",
      "model.questions",
      "server.form",
    ],
    async answer(question, signal) {
      if (question.itemId !== null) await shown.whenShown(question.itemId, signal);
      return (await client.ask(question, signal)) ?? refusalOf(question);
    },
  };
}

/** A resumed thread is as old as what is stored of it; a copy is new. */
function describeOrigin(
  origin: ThreadOrigin,
  clock: Pick<ProcessIo, "now">,
): Pick<HandleParts<never>, "preview" | "createdAt" | "usedAt" | "forkedFrom" | "origin"> {
  const now = { createdAt: clock.now(), usedAt: clock.now() };
  if (origin.type === "new") return { preview: "", forkedFrom: null, origin: null, ...now };
  const {
    threadId,
    title,
    createdAt,
    usedAt,
    branch,
    source = null,
    parent = null,
    ...saved
  } = summarizeStored(origin.stored);
  const preview = title ?? "";
  if (origin.type === "forked") return { preview, forkedFrom: threadId, origin: null, ...now };
  const forkedFrom = saved.forkedFrom?.threadId ?? null;
  return { preview, createdAt, usedAt, forkedFrom, origin: { branch, source, parent } };
}

function openOrigin(harness: Harness, origin: ThreadOrigin, options: ThreadOptions): Promise<Thread> {
  switch (origin.type) {
    case "new":
      return harness.openThread(options);
    case "resumed":
      return harness.resumeThread(origin.stored.threadId, options);
    case "forked": {
      const { stored, turns } = origin;
      return harness.forkThread(stored.threadId, { ...options, ...(turns === null ? {} : { at: turns }) });
    }
  }
}
