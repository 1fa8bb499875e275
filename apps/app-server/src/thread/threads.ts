import type { Thread } from "@unroll/harness";
import {
  createHostEnvironment,
  openProgramModel,
  openProgramStore,
  type ProcessIo,
  type ProgramFlags,
} from "@unroll/program";
import type { JournalEntry, Person, StoredThread } from "@unroll/protocol";
import { findPreview } from "../map/to-stored-turns.ts";
import type { Params } from "../schema/client-requests.ts";
import type { Client } from "../wire/client.ts";
import { RequestFault } from "../wire/request-fault.ts";
import { type Audience, createAudience } from "./audience.ts";
import { type CallNotes, createCallNotes } from "./call-notes.ts";
import { createClientPerson } from "./client-person.ts";
import type { HarnessPool } from "./harness-pool.ts";
import { type LiveParts, type LiveThread, openLiveThread, type OwnThread } from "./live-thread.ts";
import { createShownItems } from "./shown-items.ts";
import { toThreadFlags } from "./thread-settings.ts";

type Asked = Omit<Params<"thread/start">, "ephemeral">;

/** Where a thread comes from. */
export type Origin =
  | { readonly type: "new"; readonly isEphemeral: boolean }
  | { readonly type: "resumed"; readonly stored: StoredThread }
  | {
      readonly type: "forked";
      readonly stored: StoredThread;
      readonly turns: number | null;
      readonly isEphemeral: boolean;
    };

export interface OpenedLive {
  readonly live: LiveThread;
  /** What the start of the demo model, for one, has to say. */
  readonly notices: readonly string[];
  /** To be called when the client was told. */
  readonly release: () => void;
}

/** The open threads of the server. */
export interface Threads extends AsyncDisposable {
  readonly all: ReadonlyMap<string, LiveThread>;
  /** Throws `RequestFault` where there is none of that id. */
  find(threadId: string): LiveThread;
  open(asked: Asked, origin: Origin, client: Client): Promise<OpenedLive>;
  /** Where nobody else is there, the thread is closed: it can be gone on with. Says whether the client was there. */
  leave(threadId: string, client: Client): Promise<boolean>;
  close(threadId: string): Promise<void>;
}

export interface ThreadsParts {
  readonly io: ProcessIo;
  readonly flags: ProgramFlags;
  readonly harnesses: HarnessPool;
  readonly signal: AbortSignal;
}

export function createThreads(parts: ThreadsParts): Threads {
  const all = new Map<string, LiveThread>();

  function find(threadId: string): LiveThread {
    const live = all.get(threadId);
    if (live !== undefined) return live;
    throw new RequestFault("invalidRequest", `threadId: the thread ${threadId} is not open: thread/resume opens it.`);
  }

  async function close(threadId: string): Promise<void> {
    const live = all.get(threadId);
    all.delete(threadId);
    await live?.[Symbol.asyncDispose]();
  }

  return {
    all,
    find,
    close,
    async open(asked, origin, client) {
      const opened = await openThread(parts, { asked, origin, client });
      all.set(opened.live.id, opened.live);
      if (client.ended.aborted) await close(opened.live.id); // nobody is there to hear of it
      return opened;
    },
    async leave(threadId, client) {
      const live = all.get(threadId);
      const wasThere = live?.audience.leave(client) ?? false;
      if (wasThere && live?.audience.isEmpty) await close(threadId);
      return wasThere;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...all.keys()].map(close));
    },
  };
}

interface Opening {
  readonly asked: Asked;
  readonly origin: Origin;
  readonly client: Client;
}

async function openThread(parts: ThreadsParts, { asked, origin, client }: Opening): Promise<OpenedLive> {
  const { io, flags, harnesses, signal } = parts;
  await using opening = new AsyncDisposableStack();
  const wanted = origin.type === "new" ? asked : withRecorded(asked, origin.stored.entries);
  const model = opening.use(
    await openProgramModel(toThreadFlags(wanted, flags), createHostEnvironment(io), { signal }),
  );
  const { config } = model;
  const store = await openProgramStore(config.codexHome, io);
  const { harness } = opening.use(await harnesses.hold(config, store));
  const desk = createDesk(io);
  desk.audience.join(client);
  const { person, notes } = desk;
  const isEphemeral = origin.type !== "resumed" && (origin.isEphemeral || config.historyPersistence !== "save-all");
  const allowPrefixBreak = typeof asked.model === "string";
  const options = { config, person, gate: notes.gate, ephemeral: isEphemeral, allowPrefixBreak, signal };
  const thread = opening.use(await openOrigin(harness, origin, options));
  const released = Promise.withResolvers<void>();
  const held = opening.move();
  const live = desk.seat({
    thread,
    config,
    isEphemeral,
    forkedFrom: origin.type === "forked" ? origin.stored.threadId : null,
    preview: origin.type === "new" ? "" : findPreview(origin.stored.entries),
    released: released.promise,
    clock: io,
    close: () => held.disposeAsync(),
  });
  return { live, notices: model.notices, release: released.resolve };
}

type SeatedParts = Omit<LiveParts, "audience" | "notes" | "shown">;

interface Desk {
  readonly audience: Audience;
  readonly notes: CallNotes;
  readonly person: Person;
  /** The thread that all of it is about. */
  seat(parts: SeatedParts): LiveThread;
}

/** Who is asked is there before the thread, which is opened with them. */
function createDesk(io: ProcessIo): Desk {
  const [audience, notes, shown] = [createAudience(), createCallNotes(), createShownItems()];
  let live: OwnThread | null = null;
  const person = createClientPerson({
    audience,
    clock: io,
    turnId: () => live?.turnId ?? "",
    shown: (itemId, signal) => shown.whenShown(itemId, signal),
    cancel: () => live?.cancel(),
  });
  return { audience, notes, person, seat: (parts) => (live = openLiveThread({ ...parts, audience, notes, shown })) };
}

type Harness = Awaited<ReturnType<HarnessPool["hold"]>>["harness"];
type OpenOptions = NonNullable<Parameters<Harness["openThread"]>[0]>;

function openOrigin(harness: Harness, origin: Origin, options: OpenOptions): Promise<Thread> {
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

/** A thread goes on in the folder and with the model that it had, unless the client says otherwise. */
function withRecorded(asked: Asked, entries: readonly JournalEntry[]): Asked {
  const recorded = entries.findLast((entry) => entry.type === "settings")?.settings;
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const isDemo = opened?.provider === "demo"; // it stands in where there is no key, and only there
  return {
    ...asked,
    cwd: asked.cwd ?? recorded?.cwd ?? null,
    model: asked.model ?? (isDemo ? null : (recorded?.model ?? null)),
  };
}
