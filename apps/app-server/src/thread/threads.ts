import type { FollowedOpening, ThreadHost, RolledBackThread, ServedThread, ThreadRequest } from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import type { Client } from "../wire/client.ts";
import { RequestFault } from "@unroll/thread-host/wire";
import { type ClientFollower, createClientFollower } from "./client-follower.ts";

/** An open thread with its clients. */
export interface LiveThread {
  readonly thread: ServedThread;
  readonly follower: ClientFollower;
}

/** One that was opened. */
export interface OpenedLive extends FollowedOpening {
  readonly live: LiveThread;
}

/** The open threads of the server. */
export interface Threads {
  /** Null: it is not open. */
  get(threadId: string): LiveThread | null;
  /** Throws `RequestFault` where there is none of that id. */
  find(threadId: string): LiveThread;
  list(): readonly LiveThread[];
  open(request: Omit<ThreadRequest, "follower">, client: Client): Promise<OpenedLive>;
  /** Where nobody else is there, the thread is closed: it can be gone on with. Says whether the client was there. */
  leave(threadId: string, client: Client): Promise<boolean>;
  close(threadId: string): Promise<void>;
  /** Takes its last turns back, as `ThreadHost.rollBack` does; its clients keep it. */
  rollBack(threadId: string, turns: number): Promise<RolledBackThread & OpenedLive>;
}

export function createThreads(threadHost: ThreadHost, io: ProcessIo): Threads {
  const all = new Map<string, LiveThread>();
  const get = (threadId: string): LiveThread | null => all.get(threadId) ?? null;

  async function close(threadId: string): Promise<void> {
    all.delete(threadId);
    await threadHost.close(threadId);
  }

  function find(threadId: string): LiveThread {
    const live = get(threadId);
    if (live !== null) return live;
    throw new RequestFault("invalidRequest", `threadId: the thread ${threadId} is not open: thread/resume opens it.`);
  }

  return {
    get,
    close,
    find,
    async rollBack(threadId, turns) {
      const { follower } = find(threadId);
      const opened = await threadHost.rollBack(threadId, turns);
      const live: LiveThread = { thread: opened.thread, follower };
      all.set(threadId, live);
      if (follower.audience.isEmpty) await close(threadId); // they left meanwhile
      return { ...opened, live };
    },
    list: () => [...all.values()],
    async open(request, client) {
      const follower = createClientFollower(io);
      follower.audience.join(client);
      const opened = await threadHost.open({ ...request, follower });
      const live: LiveThread = { thread: opened.thread, follower };
      all.set(opened.thread.id, live);
      if (client.ended.aborted) await close(opened.thread.id); // nobody is there to hear of it
      return { ...opened, live };
    },
    async leave(threadId, client) {
      const live = get(threadId);
      const wasThere = live?.follower.audience.leave(client) ?? false;
      if (wasThere && live?.follower.audience.isEmpty) await close(threadId);
      return wasThere;
    },
  };
}
