import type { ServerMethod, ServerNotification, ServerParams, ServerResult } from "@unroll/app-server-protocol";
import type { Client } from "../wire/client.ts";
import { RequestFault } from "@unroll/line-server";

/** The clients of one thread. */
export interface Audience {
  readonly isEmpty: boolean;
  has(client: Client): boolean;
  join(client: Client): void;
  /** Says whether it was there. */
  leave(client: Client): boolean;
  tell(notifications: readonly ServerNotification[]): void;
  /** Resolves when each has taken enough of what it was told, or is given up. */
  room(): Promise<void>;
  /** Asks all of them; the first answer counts. Rejects with the signal's reason, and with `RequestFault` where nobody answers. */
  ask<Method extends ServerMethod>(
    method: Method,
    params: ServerParams<Method>,
    signal: AbortSignal,
  ): Promise<ServerResult<Method>>;
}

export function createAudience(): Audience {
  const clients = new Set<Client>();
  return {
    get isEmpty() {
      return clients.size === 0;
    },
    has: (client) => clients.has(client),
    join: (client) => void clients.add(client),
    leave: (client) => clients.delete(client),
    tell(notifications) {
      for (const client of clients) for (const each of notifications) client.notify(each);
    },
    async room() {
      await Promise.all([...clients].map((client) => client.room()));
    },
    async ask(method, params, signal) {
      const answered = new AbortController();
      const either = AbortSignal.any([signal, answered.signal]);
      try {
        return await Promise.any([...clients].map((client) => client.ask(method, params, either)));
      } catch {
        signal.throwIfAborted();
        throw new RequestFault("invalidRequest", "No client of the thread gave an answer.");
      } finally {
        answered.abort();
      }
    },
  };
}
