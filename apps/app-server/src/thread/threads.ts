import type { HostedThread, HostedOpening, ThreadHost, ThreadRequest } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import type { ProcessIo } from "@unroll/program";
import type { Client } from "../wire/client.ts";
import { type ClientFollower, createClientFollower } from "./client-follower.ts";

/** An open thread; its clients follow it. */
export type LiveThread = HostedThread<ClientFollower>;
export type OpenedLive = HostedOpening<ClientFollower>;

/** Which clients are told of the threads of the host. */
export interface Threads {
  /** Throws `RequestFault` where none of that id is open. */
  find(threadId: string): LiveThread;
  /** The client is told of it from now on, beside those that are there. */
  open(request: Omit<ThreadRequest<ClientFollower>, "follower">, client: Client): Promise<OpenedLive>;
  /** Where nobody else is there, the thread is closed: it can be gone on with. Says whether the client was there. */
  leave(threadId: string, client: Client): Promise<boolean>;
}

export function createThreads(threadHost: ThreadHost<ClientFollower>, io: ProcessIo): Threads {
  return {
    find(threadId) {
      const live = threadHost.threads.get(threadId);
      if (live !== undefined) return live;
      throw new RequestFault("invalidRequest", `threadId: the thread ${threadId} is not open: thread/resume opens it.`);
    },
    async open(request, client) {
      const follower = createClientFollower(io);
      follower.audience.join(client);
      const opened = await threadHost.open({ ...request, follower });
      const { id, follower: own } = opened.thread;
      own.audience.join(client);
      if (client.ended.aborted) await this.leave(id, client); // nobody is there to hear of it
      return opened;
    },
    async leave(threadId, client) {
      const live = threadHost.threads.get(threadId);
      const wasThere = live?.follower.audience.leave(client) ?? false;
      if (wasThere && live?.follower.audience.isEmpty) await threadHost.close(threadId);
      return wasThere;
    },
  };
}
