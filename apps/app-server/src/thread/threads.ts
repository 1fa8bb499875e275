import type { HostedThread, HostedOpening, ThreadHost, ThreadRequest } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import type { ProcessIo } from "@unroll/program";
import type { Client } from "../wire/client.ts";
import { createThreadClients, type ThreadClients } from "./thread-clients.ts";

/** An open thread, and the clients that follow it. */
export type LiveThread = HostedThread<ThreadClients>;
export type OpenedLive = HostedOpening<ThreadClients>;

/** The open threads, and which clients follow each of them. */
export interface Threads {
  /** Throws `RequestFault` if it is not open. */
  find(threadId: string): LiveThread;
  /** Opens the thread and adds the client to those that follow it. */
  open(request: Omit<ThreadRequest<ThreadClients>, "client">, client: Client): Promise<OpenedLive>;
  /** Closes the thread when its last client leaves; `thread/resume` opens it again. Returns whether the client followed it. */
  leave(threadId: string, client: Client): Promise<boolean>;
}

export function createThreads(threadHost: ThreadHost<ThreadClients>, io: ProcessIo): Threads {
  return {
    find(threadId) {
      const live = threadHost.threads.get(threadId);
      if (live !== undefined) return live;
      throw new RequestFault("invalidRequest", `threadId: the thread ${threadId} is not open: thread/resume opens it.`);
    },
    async open(request, client) {
      const { origin } = request;
      const clients = createThreadClients(io, origin.type === "resumed" ? (origin.stored.facts?.usage ?? null) : null);
      clients.group.join(client);
      const opened = await threadHost.open({ ...request, client: clients });
      const { id, client: own } = opened.thread;
      own.group.join(client);
      // its last client may have closed it meanwhile
      if (!opened.isNew && threadHost.threads.get(id) !== opened.thread) return this.open(request, client);
      if (client.ended.aborted) await this.leave(id, client); // nobody is there to hear of it
      return opened;
    },
    async leave(threadId, client) {
      const live = threadHost.threads.get(threadId);
      const wasThere = live?.client.group.leave(client) ?? false;
      if (wasThere && live?.client.group.isEmpty) await threadHost.close(threadId);
      return wasThere;
    },
  };
}
