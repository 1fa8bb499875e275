import { resolve } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { Harness, Host, Executor, Thread, ThreadOptions } from "@unroll/harness";
import { openProgramModel, openProgramStore, type ProcessIo, type ProgramFlags } from "@unroll/program";
import { createPlanGate } from "@unroll/use-cases/plan";
import type { StoredThread } from "@unroll/protocol";
import { checkFolder } from "../file/check-folder.ts";
import { summarizeStored } from "../history/summarize-stored.ts";
import type { RequestedSettings } from "../settings/requested-settings.ts";
import { toThreadFlags } from "../settings/to-thread-flags.ts";
import { withRecorded } from "../settings/with-recorded.ts";
import { createWirePerson } from "./create-wire-person.ts";
import type { HarnessPool } from "./harness-pool.ts";
import { createShownItems } from "./shown-items.ts";
import type { ThreadClient } from "./thread-client.ts";
import { type AwakeThread, type HandleParts, type PlanHold, ThreadHandle } from "./thread-handle.ts";
import type { ThreadOrigin } from "./thread-origin.ts";

/** A thread that is to be opened. */
export interface ThreadRequest<Follower extends ThreadClient = ThreadClient> {
  readonly origin: ThreadOrigin;
  readonly asked: RequestedSettings;
  /** There before the thread: servers may ask while it is opened. */
  readonly follower: Follower;
  /** What the front end brings itself. */
  readonly own?: Pick<ThreadOptions, "tools" | "gate" | "guards">;
  /** Where its files and commands are. Absent: on this machine, in the sandbox. */
  readonly machine?: Executor;
}

export interface OpeningParts<Follower> extends Pick<HandleParts<Follower>, "keeper" | "fork"> {
  readonly io: ProcessIo;
  readonly host: Host;
  readonly flags: ProgramFlags;
  readonly harnesses: HarnessPool;
  readonly signal: AbortSignal;
  readonly loadKept: (threadId: string) => Promise<StoredThread | null>;
}

/** What is to be told before the thread. */
interface OpenedHandle<Follower> {
  readonly thread: ThreadHandle<Follower>;
  readonly notices: readonly string[];
  readonly release: () => void;
}

export async function openHostedThread<Follower extends ThreadClient>(
  parts: OpeningParts<Follower>,
  request: ThreadRequest<Follower>,
): Promise<OpenedHandle<Follower>> {
  const { io, host, flags, harnesses, signal } = parts;
  const { origin, asked, follower, own = {}, machine = null } = request;
  if (asked.cwd) await checkFolder(resolve(io.cwd, asked.cwd));
  await using opening = new AsyncDisposableStack();
  const wanted = origin.type === "new" ? asked : withRecorded(asked, origin.stored.entries);
  const model = opening.use(await openProgramModel(toThreadFlags(wanted, flags), host, { signal, io }));
  const { config } = model;
  const store = await openProgramStore(config.codexHome, io);
  const isEphemeral = isKeptNowhere(origin, config);
  const [shown, hold] = [createShownItems(), createPlanHold()];
  const options: ThreadOptions = {
    ...own,
    ...toInstructions(request),
    person: createWirePerson(follower, shown),
    gate: (gate) => createPlanGate(own.gate?.(gate) ?? gate, () => hold.isOn),
    ephemeral: isEphemeral,
    signal,
  };
  const openIn = async (open: (harness: Harness) => Promise<Thread>, current: ResolvedConfig): Promise<AwakeThread> => {
    await using stack = new AsyncDisposableStack();
    const { harness } = stack.use(await harnesses.hold({ config: current, store, machine }));
    const thread = stack.use(await open(harness));
    const held = stack.move();
    return { thread, [Symbol.asyncDispose]: () => held.disposeAsync() };
  };
  // whoever names another model has said so by that
  const allowPrefixBreak = typeof asked.model === "string";
  const first = await openIn(
    (harness) => openOrigin(harness, origin, { ...options, config, allowPrefixBreak }),
    config,
  );
  opening.move();
  const { id } = first.thread;
  const released = Promise.withResolvers<void>();
  const thread = new ThreadHandle<Follower>({
    ...parts,
    ...describeOrigin(origin, io),
    first,
    wake: (current) => openIn((harness) => harness.resumeThread(id, { ...options, config: current }), current),
    model,
    openModel: (other, { cwd }) =>
      openProgramModel(toThreadFlags({ ...wanted, ...other, cwd }, flags), host, { signal, io }),
    loadKept: () => parts.loadKept(id),
    follower,
    hold,
    isEphemeral,
    isKept: origin.type === "resumed",
    forkedFrom: origin.type === "forked" ? origin.stored.threadId : null,
    clock: io,
    shown,
    released: released.promise,
  });
  return { thread, notices: model.notices, release: released.resolve };
}

function createPlanHold(): PlanHold {
  return { isOn: false };
}

/** One that goes on is as old as what is kept of it; a fork begins now. */
function describeOrigin(
  origin: ThreadOrigin,
  clock: Pick<ProcessIo, "now">,
): Pick<HandleParts<never>, "preview" | "createdAt" | "usedAt"> {
  const now = clock.now();
  if (origin.type === "new") return { preview: "", createdAt: now, usedAt: now };
  const { title, createdAt, usedAt } = summarizeStored(origin.stored);
  return {
    preview: title ?? "",
    ...(origin.type === "resumed" ? { createdAt, usedAt } : { createdAt: now, usedAt: now }),
  };
}

function isKeptNowhere(origin: ThreadOrigin, { historyPersistence }: ResolvedConfig): boolean {
  return origin.type !== "resumed" && (origin.isEphemeral || historyPersistence !== "save-all");
}

/** A thread that goes on keeps its own: they open all its requests. */
function toInstructions({ origin, asked }: ThreadRequest): Pick<ThreadOptions, "instructions"> {
  return origin.type === "new" && asked.baseInstructions ? { instructions: asked.baseInstructions } : {};
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
