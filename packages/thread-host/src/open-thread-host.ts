import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import {
  createHost,
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
import type { ForkRequest, HostedThread, HostedOpening } from "./thread/hosted-thread.ts";
import { openHostedThread, type OpeningParts, type ThreadRequest } from "./thread/open-hosted-thread.ts";
import { createOpenThreads } from "./thread/open-threads.ts";
import { orMissing } from "./thread/or-missing.ts";
import type { ThreadClient } from "./thread/thread-client.ts";

/** What a front end is started with. */
export interface ThreadHostOptions {
  readonly io: ProcessIo;
  /** Of its command line: they hold for all threads; what a program asks of a thread goes before them. */
  readonly flags: ProgramFlags;
  /** Who asks, for servers' logs: `unroll_acp`. */
  readonly name: string;
  /** Stops threads from being opened; those that are open end when the front end is disposed. */
  readonly signal: AbortSignal;
  /**
   * How many threads stay awake in which nothing happens; of more, those that were used longest ago give back what they hold until they are
   * used again. One whose commands still run, and one that is not kept, stay awake. Absent: 32.
   */
  readonly maxIdle?: number;
}

/** The threads of one process, for programs that ask for them. Disposing it closes all of them. */
export interface ThreadHost<Follower extends ThreadClient = ThreadClient> extends AsyncDisposable {
  readonly host: Host;
  /** Those that are open, by their id. */
  readonly threads: ReadonlyMap<string, HostedThread<Follower>>;
  /** Throws `ThreadHostError` `thread_not_open`. */
  find(threadId: string): HostedThread<Follower>;
  /**
   * Opens a thread. One that is to go on and is open already is given as it is. Throws what a harness throws that opens a thread, what is
   * wrong with the config, and `ThreadHostError` `folder_missing`.
   */
  open(request: ThreadRequest<Follower>): Promise<HostedOpening<Follower>>;
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

/** So many threads in which nothing happens stay awake. */
const usualMaxIdle = 32;

/** A host with no thread yet. Nothing is loaded that the first thread does not need. */
export function openThreadHost<Follower extends ThreadClient = ThreadClient>({
  io,
  flags,
  name,
  signal,
  maxIdle = usualMaxIdle,
}: ThreadHostOptions): ThreadHost<Follower> {
  const host = createHost(io);
  const threads = createOpenThreads<Follower>(maxIdle);
  const parts: OpeningParts<Follower> = {
    io,
    host,
    flags,
    signal,
    keeper: threads,
    harnesses: createHarnessPool(host, toUserAgent(name, host)),
    fork: (thread, request) => forkThread({ load, open }, thread, request),
    loadKept: (threadId) => orMissing(load(threadId)),
  };
  const loadConfig: ThreadHost["loadConfig"] = (cwd) =>
    loadProgramConfig(cwd === null ? flags : { ...flags, cd: cwd }, host);
  const openStore = async (): Promise<ThreadStore> => openProgramStore((await loadConfig(null)).codexHome, io);

  async function load(threadId: string): Promise<StoredThread> {
    await threads.whenClosed(threadId);
    return (await openStore()).load(threadId);
  }

  async function open(request: ThreadRequest<Follower>): Promise<HostedOpening<Follower>> {
    const { origin } = request;
    const id = origin.type === "resumed" ? origin.stored.threadId : null;
    const found = id === null ? null : threads.find(id); // nothing may come between this and the adding
    if (found !== null) return { thread: await found, isNew: false, notices: [], release: () => {} };
    let told: Pick<HostedOpening<Follower>, "notices" | "release"> = { notices: [], release: () => {} };
    const thread = await threads.add(id, async () => {
      if (id !== null) await threads.whenClosed(id);
      const opened = await openHostedThread(parts, request);
      told = opened;
      return opened.thread;
    });
    const { notices, release } = told;
    return { thread, isNew: true, notices, release };
  }

  async function rename(threadId: string, threadName: string | null): Promise<void> {
    const opened = threads.find(threadId);
    if (opened !== null) return (await opened).rename(threadName);
    await threads.whenClosed(threadId);
    const { journal } = await (await openStore()).resume(threadId);
    await using held = journal;
    held.record({ type: "note", key: "name", value: threadName });
    await held.settled();
  }

  return {
    host,
    threads: threads.all,
    open,
    rename,
    openStore,
    loadConfig,
    load,
    close: (threadId) => threads.close(threadId),
    find(threadId) {
      const thread = threads.all.get(threadId);
      if (thread !== undefined) return thread;
      throw new ThreadHostError("thread_not_open", `The thread ${threadId} is not open.`);
    },
    openUpkeep: async () => openProgramUpkeep((await loadConfig(null)).codexHome, io),
    [Symbol.asyncDispose]: () => threads.closeAll(),
  };
}

/** Opens a copy with the settings that the thread has now. */
async function forkThread<Follower extends ThreadClient>(
  { load, open }: Pick<ThreadHost<Follower>, "load" | "open">,
  { id, config }: HostedThread<Follower>,
  { turns, isEphemeral, follower }: ForkRequest<Follower>,
): Promise<HostedOpening<Follower>> {
  const stored = await load(id);
  const { model, provider, cwd } = config;
  // the demo model stands in where there is no key, and only there
  const named = provider.id === "demo" ? {} : { model, modelProvider: provider.id };
  const opened = await open({
    origin: { type: "forked", stored, turns, isEphemeral },
    asked: { cwd, ...named },
    follower,
  });
  const { approvalPolicy, approvalQuestions, sandboxSettings, reasoningEffort, reasoningSummary, verbosity } = config;
  const sent = { reasoningEffort, reasoningSummary, verbosity };
  await opened.thread.change({ approvalPolicy, approvalQuestions, sandboxSettings, ...sent });
  return opened;
}
