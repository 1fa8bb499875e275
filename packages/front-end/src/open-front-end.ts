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
import type { ThreadStore } from "@unroll/protocol";
import { FrontEndError } from "./front-end-error.ts";
import { createHarnessPool } from "./thread/harness-pool.ts";
import { type FollowedOpening, openFollowedThread, type ThreadRequest } from "./thread/open-followed-thread.ts";
import type { ServedOrigin } from "./thread/served-origin.ts";
import type { ServedThread } from "./thread/served-thread.ts";

/** What a front end is started with. */
export interface FrontEndOptions {
  readonly io: ProcessIo;
  /** Of its command line: they hold for all threads; what a program asks of a thread goes before them. */
  readonly flags: ProgramFlags;
  /** Who asks, for servers' logs: `unroll_acp`. */
  readonly name: string;
  /** Stops threads from being opened; those that are open end when the front end is disposed. */
  readonly signal: AbortSignal;
}

/** The threads of one process, for programs that ask for them. Disposing it closes all of them. */
export interface FrontEnd extends AsyncDisposable {
  readonly host: HostEnvironment;
  /** Those that are open, by their id. */
  readonly threads: ReadonlyMap<string, ServedThread>;
  /** Throws `FrontEndError` `thread_not_open`. */
  find(threadId: string): ServedThread;
  /** Throws what a harness throws that opens a thread, and what is wrong with the config. */
  open(request: ThreadRequest): Promise<FollowedOpening>;
  /**
   * Closes an open thread and goes on with it as is asked, with another model for one. Where that cannot be, it goes on with the
   * model that it had, and what was in the way is thrown. Throws `FrontEndError` `not_kept` for one of which nothing is kept.
   */
  reopen(threadId: string, request: Omit<ThreadRequest, "origin">): Promise<ServedThread>;
  /** Ends its turn and its commands; a kept thread can be gone on with. Nothing happens where it is not open. */
  close(threadId: string): Promise<void>;
  /** The config as it is now, for a folder; null: that of the process. */
  loadConfig(cwd: string | null): Promise<ResolvedConfig>;
  /** The threads that are kept. */
  openStore(): Promise<ThreadStore>;
  /** What people do with their files. */
  openUpkeep(): ReturnType<typeof openProgramUpkeep>;
}

/** A front end with no thread yet. Nothing is loaded that the first thread does not need. */
export function openFrontEnd({ io, flags, name, signal }: FrontEndOptions): FrontEnd {
  const host = createHostEnvironment(io);
  const parts = { io, host, flags, signal, harnesses: createHarnessPool(host, toUserAgent(name, host)) };
  const threads = new Map<string, ServedThread>();
  const loadConfig: FrontEnd["loadConfig"] = (cwd) =>
    loadProgramConfig(cwd === null ? flags : { ...flags, cd: cwd }, host);

  async function close(threadId: string): Promise<void> {
    const thread = threads.get(threadId);
    threads.delete(threadId);
    await thread?.[Symbol.asyncDispose]();
  }

  return {
    host,
    threads,
    loadConfig,
    close,
    find(threadId) {
      const thread = threads.get(threadId);
      if (thread !== undefined) return thread;
      throw new FrontEndError("thread_not_open", `The thread ${threadId} is not open.`);
    },
    async open(request) {
      const opened = await openFollowedThread(parts, request);
      threads.set(opened.thread.id, opened.thread);
      return opened;
    },
    reopen(threadId, request) {
      return reopenThread(this, threadId, request);
    },
    openStore: async () => openProgramStore((await loadConfig(null)).codexHome, io),
    openUpkeep: async () => openProgramUpkeep((await loadConfig(null)).codexHome, io),
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads.keys()].map(close));
    },
  };
}

type Opener = Pick<FrontEnd, "find" | "open" | "close" | "openStore">;

/** It is left first: nobody may hold a thread twice. */
async function reopenThread(
  { find, open, close, openStore }: Opener,
  threadId: string,
  request: Omit<ThreadRequest, "origin">,
): Promise<ServedThread> {
  const { id, isEphemeral, preview, config } = find(threadId);
  const isBegun = preview !== "";
  if (isEphemeral && isBegun)
    throw new FrontEndError(
      "not_kept",
      "Nothing of this conversation is kept, so it goes on as it is: begin another one.",
    );
  await close(id);
  const goOn = async (asked: ThreadRequest["asked"]): Promise<ServedThread> => {
    const origin: ServedOrigin = isBegun
      ? { type: "resumed", stored: await (await openStore()).load(id) }
      : { type: "new", isEphemeral, id };
    const { thread, release } = await open({ ...request, asked, origin });
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
