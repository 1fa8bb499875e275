import type { ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "@unroll/harness";
import {
  createHostEnvironment,
  loadProgramConfig,
  openProgramStore,
  openProgramUpkeep,
  type ProcessIo,
  type ProgramFlags,
  toUserAgent,
} from "@unroll/program";
import type { StoredThread, ThreadStore } from "@unroll/protocol";
import { ThreadHostError } from "./thread-host-error.ts";
import { createHarnessPool } from "./thread/harness-pool.ts";
import { type FollowedOpening, openFollowedThread, type ThreadRequest } from "./thread/open-followed-thread.ts";
import { orMissing } from "./thread/or-missing.ts";
import { createOpenThreads } from "./thread/open-threads.ts";
import { type RolledBackThread, rollBackThread } from "./thread/roll-back-thread.ts";
import type { ServedOrigin } from "./thread/served-origin.ts";
import type { ServedThread } from "./thread/served-thread.ts";

/** What a front end is started with. */
export interface ThreadHostOptions {
  readonly io: ProcessIo;
  /** Of its command line: they hold for all threads; what a program asks of a thread goes before them. */
  readonly flags: ProgramFlags;
  /** Who asks, for servers' logs: `unroll_acp`. */
  readonly name: string;
  /** Stops threads from being opened; those that are open end when the front end is disposed. */
  readonly signal: AbortSignal;
}

/** The threads of one process, for programs that ask for them. Disposing it closes all of them. */
export interface ThreadHost extends AsyncDisposable {
  readonly host: HostEnvironment;
  /** Those that are open, by their id. */
  readonly threads: ReadonlyMap<string, ServedThread>;
  /** Throws `ThreadHostError` `thread_not_open`. */
  find(threadId: string): ServedThread;
  /** Throws what a harness throws that opens a thread, what is wrong with the config, and `ThreadHostError` `folder_missing`. */
  open(request: ThreadRequest): Promise<FollowedOpening>;
  /**
   * Closes an open thread and goes on with it as is asked, with another model for one. Where that cannot be, it goes on with the
   * model that it had, and what was in the way is thrown. Throws `ThreadHostError` `not_kept` for one of which nothing is kept.
   */
  reopen(threadId: string, request: Omit<ThreadRequest, "origin">): Promise<ServedThread>;
  /**
   * Takes the last so many turns of an open thread back, all where there are fewer, and goes on with it under its id: its next
   * request begins as an earlier one did. Files stay as they are; commands that were left running end. Throws `ThreadHostError`
   * `turn_runs` while one runs, and `not_kept`.
   */
  rollBack(threadId: string, turns: number): Promise<RolledBackThread>;
  /** What is kept of a thread, all of it where it is being closed. Throws where there is none. */
  load(threadId: string): Promise<StoredThread>;
  /** Ends its turn and its commands; a kept thread can be gone on with. Nothing happens where it is not open. */
  close(threadId: string): Promise<void>;
  /** Names a thread, open or kept. Throws where there is none. */
  rename(threadId: string, name: string | null): Promise<void>;
  /** The config as it is now, for a folder; null: that of the process. */
  loadConfig(cwd: string | null): Promise<ResolvedConfig>;
  /** The threads that are kept. */
  openStore(): Promise<ThreadStore>;
  /** What people do with their files. */
  openUpkeep(): ReturnType<typeof openProgramUpkeep>;
}

/** A front end with no thread yet. Nothing is loaded that the first thread does not need. */
export function openThreadHost({ io, flags, name, signal }: ThreadHostOptions): ThreadHost {
  const host = createHostEnvironment(io);
  const parts = { io, host, flags, signal, harnesses: createHarnessPool(host, toUserAgent(name, host)) };
  const threads = createOpenThreads();
  const requests = new WeakMap<ServedThread, ThreadRequest>();
  const loadConfig: ThreadHost["loadConfig"] = (cwd) =>
    loadProgramConfig(cwd === null ? flags : { ...flags, cd: cwd }, host);

  async function load(threadId: string): Promise<StoredThread> {
    await threads.whenClosed(threadId);
    return (await openStore()).load(threadId);
  }

  const openStore = async (): Promise<ThreadStore> => openProgramStore((await loadConfig(null)).codexHome, io);

  async function rename(threadId: string, name: string | null): Promise<void> {
    const open = threads.all.get(threadId);
    if (open !== undefined) return open.rename(name);
    await threads.whenClosed(threadId);
    const { journal } = await (await openStore()).resume(threadId);
    await using held = journal;
    held.record({ type: "note", key: "name", value: name });
    await held.settled();
  }

  return {
    host,
    threads: threads.all,
    rename,
    openStore,
    loadConfig,
    close: (threadId) => threads.close(threadId),
    load,
    find(threadId) {
      const thread = threads.all.get(threadId);
      if (thread !== undefined) return thread;
      throw new ThreadHostError("thread_not_open", `The thread ${threadId} is not open.`);
    },
    async open(request) {
      const opened = await openFollowedThread(parts, request);
      threads.add(opened.thread);
      requests.set(opened.thread, request);
      return opened;
    },
    reopen(threadId, request) {
      return reopenThread(this, threadId, request);
    },
    async rollBack(threadId, turns) {
      const request = requests.get(this.find(threadId));
      if (request === undefined) throw new TypeError("A thread is open that nobody opened.");
      return rollBackThread(this, { threadId, turns, request });
    },
    openUpkeep: async () => openProgramUpkeep((await loadConfig(null)).codexHome, io),
    [Symbol.asyncDispose]: () => threads.closeAll(),
  };
}

type Opener = Pick<ThreadHost, "find" | "open" | "close" | "load">;

/** It is left first: nobody may hold a thread twice. */
async function reopenThread(
  { find, open, close, load }: Opener,
  threadId: string,
  request: Omit<ThreadRequest, "origin">,
): Promise<ServedThread> {
  const { id, isEphemeral, preview, config } = find(threadId);
  if (isEphemeral && preview !== "")
    throw new ThreadHostError(
      "not_kept",
      "Nothing of this conversation is kept, so it goes on as it is: begin another one.",
    );
  await close(id);
  const goOn = async (asked: ThreadRequest["asked"]): Promise<ServedThread> => {
    const stored = await orMissing(load(id));
    const origin: ServedOrigin = stored === null ? { type: "new", isEphemeral, id } : { type: "resumed", stored };
    const { thread, release } = await open({ ...request, asked, running: config, origin });
    release();
    return thread;
  };
  try {
    return await goOn(request.asked);
  } catch (error) {
    await goOn({ ...request.asked, model: config.model });
    throw error;
  }
}
