import type { ResolvedConfig } from "@unroll/config";
import type { HarnessOptions, Host } from "@unroll/harness";
import {
  createHost,
  loadProgramConfig,
  openProgramStore,
  type ProcessIo,
  type ProgramFlags,
  toUserAgent,
} from "@unroll/program";
import type { StoredThread } from "@unroll/protocol";
import { ThreadHostError } from "./thread-host-error.ts";
import { createHarnessPool } from "./thread/harness-pool.ts";
import type { ForkRequest, HostedThread, HostedOpening } from "./thread/hosted-thread.ts";
import { openHostedThread, type OpeningParts, type ThreadRequest } from "./thread/open-hosted-thread.ts";
import { createOpenThreads } from "./thread/open-threads.ts";
import type { ThreadClient } from "./thread/thread-client.ts";

/** Options of a host. */
export interface ThreadHostOptions {
  readonly io: ProcessIo;
  /** Flags of the command line: they hold for all threads, unless the request for a thread says otherwise. */
  readonly flags: ProgramFlags;
  /** Names the program in the logs of servers: `unroll_acp`. */
  readonly name: string;
  /** Stops threads from being opened; open ones end when the host is disposed. */
  readonly signal: AbortSignal;
  /**
   * How many idle threads stay awake. Of more, those that were used longest ago release what they hold until their next use. Threads whose
   * commands or sub-agents still run, and ephemeral ones, stay awake. Absent: 32.
   */
  readonly maxIdle?: number;
  /** Further options of the harnesses that run the threads. */
  readonly harness?: Pick<HarnessOptions, "ignoreRules" | "deltaGapMs" | "onRateLimits">;
}

/** The open threads of one process. Disposing it closes all of them. */
export interface ThreadHost<Client extends ThreadClient = ThreadClient> extends AsyncDisposable {
  readonly host: Host;
  /** The open threads, by id. */
  readonly threads: ReadonlyMap<string, HostedThread<Client>>;
  /** Throws `ThreadHostError` `thread_not_open`. */
  find(threadId: string): HostedThread<Client>;
  /**
   * Opens a thread. A thread to resume that is open already is returned as it is. Throws what a harness throws that opens a thread, errors of
   * the config, and `ThreadHostError` `folder_missing`.
   */
  open(request: ThreadRequest<Client>): Promise<HostedOpening<Client>>;
  /** The stored thread; waits while the thread is being closed. Throws if there is none. */
  load(threadId: string): Promise<StoredThread>;
  /** Ends its turn and its commands; a stored thread can be resumed. Does nothing if it is not open. */
  close(threadId: string): Promise<void>;
  /** Names a thread, open or stored. Throws if there is none. */
  rename(threadId: string, name: string | null): Promise<void>;
  /** Reads the config for a folder; null: the folder of the process. */
  loadConfig(cwd: string | null): Promise<ResolvedConfig>;
  /** The stored threads. */
  openStore(): ReturnType<typeof openProgramStore>;
}

const usualMaxIdle = 32;

/** A host without threads. It loads what threads need with the first one. */
export function openThreadHost<Client extends ThreadClient = ThreadClient>({
  io,
  flags,
  name,
  signal,
  maxIdle = usualMaxIdle,
  harness = {},
}: ThreadHostOptions): ThreadHost<Client> {
  const host = createHost(io);
  const threads = createOpenThreads<Client>(maxIdle);
  const parts: OpeningParts<Client> = {
    io,
    host,
    flags,
    signal,
    registry: threads,
    harnesses: createHarnessPool({ ...harness, host, userAgent: toUserAgent(name, host) }),
    fork: (thread, request) => forkThread({ load, open }, thread, request),
    loadStored: (threadId) => orMissing(load(threadId)),
  };
  const loadConfig: ThreadHost["loadConfig"] = (cwd) =>
    loadProgramConfig(cwd === null ? flags : { ...flags, cd: cwd }, host);
  const openStore = async (): ReturnType<typeof openProgramStore> =>
    openProgramStore({ ...flags, codexHome: (await loadConfig(null)).codexHome }, io);

  async function load(threadId: string): Promise<StoredThread> {
    await threads.whenClosed(threadId);
    return (await openStore()).load(threadId);
  }

  async function open(request: ThreadRequest<Client>): Promise<HostedOpening<Client>> {
    const { origin } = request;
    const id = origin.type === "resumed" ? origin.stored.threadId : null;
    const found = id === null ? null : threads.find(id); // nothing may come between this and the adding
    if (found !== null) return { thread: await found, isNew: false, notices: [], release: () => {} };
    let notices: readonly string[] = [];
    const thread = await threads.add(id, async () => {
      if (id !== null) await threads.whenClosed(id);
      const opened = await openHostedThread(parts, request);
      notices = opened.notices;
      return opened.thread;
    });
    return { thread, isNew: true, notices, release: () => thread.release() };
  }

  async function rename(threadId: string, threadName: string | null): Promise<void> {
    const opened = threads.find(threadId);
    if (opened !== null) return (await opened).rename(threadName);
    await threads.whenClosed(threadId);
    await (await openStore()).upkeep.rename(threadId, threadName);
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
    [Symbol.asyncDispose]: () => threads.closeAll(),
  };
}

/** Null: nothing is stored of it, as no turn ran in it. */
async function orMissing(loaded: Promise<StoredThread>): Promise<StoredThread | null> {
  try {
    return await loaded;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "thread_missing") return null;
    throw error;
  }
}

/** Opens a copy with the settings that the thread has now. */
async function forkThread<Client extends ThreadClient>(
  { load, open }: Pick<ThreadHost<Client>, "load" | "open">,
  { id, config }: HostedThread<Client>,
  { turns, isEphemeral, asked = {}, ...request }: ForkRequest<Client>,
): Promise<HostedOpening<Client>> {
  const { model, provider, cwd, approvalPolicy, approvalQuestions } = config;
  // the demo model stands in only where there is no key
  const named = provider.id === "demo" ? {} : { model, modelProvider: provider.id };
  const opened = await open({
    ...request,
    origin: { type: "forked", stored: await load(id), turns, isEphemeral },
    asked: { cwd, ...named, ...asked },
  });
  await opened.thread.setPlanMode(false); // the copy may have ended in plan mode where this thread has not
  const { writableRoots } = asked.addDirs ? opened.thread.config.sandboxSettings : config.sandboxSettings;
  const sandboxSettings = { ...config.sandboxSettings, writableRoots };
  const { reasoningEffort, reasoningSummary, verbosity, permissionProfile } = config;
  const sent = { reasoningEffort, reasoningSummary, verbosity };
  await opened.thread.change({ approvalPolicy, approvalQuestions, sandboxSettings, permissionProfile, ...sent });
  return opened;
}
