import { resolve } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { Harness, HostEnvironment, Machine, Thread, ThreadOptions } from "@unroll/harness";
import { openProgramModel, openProgramStore, type ProcessIo, type ProgramFlags } from "@unroll/program";
import { carryEffort } from "@unroll/use-cases/models";
import { checkFolder } from "../file/check-folder.ts";
import { describeKept } from "../history/describe-kept.ts";
import type { AskedSettings } from "../settings/asked-settings.ts";
import { toThreadFlags } from "../settings/to-thread-flags.ts";
import { withRecorded } from "../settings/with-recorded.ts";
import { createWirePerson } from "./create-wire-person.ts";
import type { HarnessPool } from "./harness-pool.ts";
import { openServedThread, type ServedParts } from "./open-served-thread.ts";
import type { ServedOrigin } from "./served-origin.ts";
import type { ServedThread } from "./served-thread.ts";
import { createShownItems } from "./shown-items.ts";
import type { ThreadFollower } from "./thread-follower.ts";

/** A thread that is to be opened. */
export interface ThreadRequest {
  readonly origin: ServedOrigin;
  readonly asked: AskedSettings;
  /** The settings of a running thread that goes on with another model. Absent: it is none. */
  readonly running?: ResolvedConfig;
  /** There before the thread: servers may ask while it is opened. */
  readonly follower: ThreadFollower;
  /** What the front end brings itself. */
  readonly own?: Pick<ThreadOptions, "tools" | "gate" | "guards">;
  /** Where its files and commands are. Absent: on this machine, in the sandbox. */
  readonly machine?: Machine;
}

/** A thread that was opened. */
export interface FollowedOpening {
  readonly thread: ServedThread;
  /** What the start of the demo model, for one, has to say to a person. */
  readonly notices: readonly string[];
  /** To be called once when whoever asked for the thread was told of it: then its events begin. */
  readonly release: () => void;
}

export interface OpeningParts {
  readonly io: ProcessIo;
  readonly host: HostEnvironment;
  readonly flags: ProgramFlags;
  readonly harnesses: HarnessPool;
  readonly signal: AbortSignal;
}

export async function openFollowedThread(parts: OpeningParts, request: ThreadRequest): Promise<FollowedOpening> {
  const { io, host, flags, harnesses, signal } = parts;
  const { origin, asked, follower, own = {}, machine = null } = request;
  if (asked.cwd) await checkFolder(resolve(io.cwd, asked.cwd));
  await using opening = new AsyncDisposableStack();
  const wanted = origin.type === "new" ? asked : withRecorded(asked, origin.stored.entries);
  const model = opening.use(await openProgramModel(toThreadFlags(wanted, flags), host, { signal, io }));
  const config = request.running === undefined ? model.config : carryEffort(model.config, request.running);
  const store = await openProgramStore(config.codexHome, io);
  const { harness } = opening.use(await harnesses.hold({ config, store, machine }));
  const shown = createShownItems();
  const isEphemeral = isKeptNowhere(origin, config);
  const thread = opening.use(
    await openOrigin(harness, origin, {
      ...own,
      ...toInstructions(request),
      config,
      person: createWirePerson(follower, shown),
      ephemeral: isEphemeral,
      allowPrefixBreak: typeof asked.model === "string", // whoever names another model has said so by that
      signal,
    }),
  );
  const released = Promise.withResolvers<void>();
  const held = opening.move();
  const served = openServedThread({
    thread,
    isEphemeral,
    forkedFrom: origin.type === "forked" ? origin.stored.threadId : null,
    ...describeOrigin(origin, io),
    clock: io,
    follower,
    shown,
    released: released.promise,
    close: () => held.disposeAsync(),
  });
  return { thread: served, notices: model.notices, release: released.resolve };
}

/** One that goes on is as old as what is kept of it; a fork begins now. */
function describeOrigin(
  origin: ServedOrigin,
  clock: Pick<ProcessIo, "now">,
): Pick<ServedParts, "preview" | "createdAt" | "usedAt"> {
  const now = clock.now();
  if (origin.type === "new") return { preview: "", createdAt: now, usedAt: now };
  const { title, createdAt, usedAt } = describeKept(origin.stored);
  return {
    preview: title ?? "",
    ...(origin.type === "resumed" ? { createdAt, usedAt } : { createdAt: now, usedAt: now }),
  };
}

function isKeptNowhere(origin: ServedOrigin, { historyPersistence }: ResolvedConfig): boolean {
  return origin.type !== "resumed" && (origin.isEphemeral || historyPersistence !== "save-all");
}

/** A thread that goes on keeps its own: they open all its requests. */
function toInstructions({ origin, asked }: ThreadRequest): Pick<ThreadOptions, "instructions"> {
  return origin.type === "new" && asked.baseInstructions ? { instructions: asked.baseInstructions } : {};
}

function openOrigin(harness: Harness, origin: ServedOrigin, options: ThreadOptions): Promise<Thread> {
  switch (origin.type) {
    case "new":
      return harness.openThread({ ...options, ...(origin.id === undefined ? {} : { id: origin.id }) });
    case "resumed":
      return harness.resumeThread(origin.stored.threadId, options);
    case "forked": {
      const { stored, turns } = origin;
      return harness.forkThread(stored.threadId, { ...options, ...(turns === null ? {} : { at: turns }) });
    }
  }
}
