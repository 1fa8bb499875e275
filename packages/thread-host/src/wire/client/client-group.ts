import { RequestFault } from "../message/request-fault.ts";
import type { LineClient, LineNotice, LineQuestions } from "./line-service.ts";

/** The clients of one thread. */
export interface ClientGroup<Questions extends LineQuestions, Notice extends LineNotice> {
  readonly isEmpty: boolean;
  has(client: LineClient<Questions, Notice>): boolean;
  join(client: LineClient<Questions, Notice>): void;
  /** Returns whether it was there. */
  leave(client: LineClient<Questions, Notice>): boolean;
  tell(notices: readonly Notice[]): void;
  /** Resolves when each client has read enough, or was given up; null: they have. */
  room(): Promise<unknown> | null;
  /** Asks all of them; the first answer counts. Rejects with the signal's reason, and with `RequestFault` if nobody answers. */
  ask: LineClient<Questions, Notice>["ask"];
}

/** A group without clients. */
export function createClientGroup<Questions extends LineQuestions, Notice extends LineNotice>(): ClientGroup<
  Questions,
  Notice
> {
  const clients = new Set<LineClient<Questions, Notice>>();
  return {
    get isEmpty() {
      return clients.size === 0;
    },
    has: (client) => clients.has(client),
    join: (client) => void clients.add(client),
    leave: (client) => clients.delete(client),
    tell(notices) {
      for (const client of clients) for (const each of notices) client.notify(each);
    },
    room() {
      const slow = [...clients].flatMap((client) => client.room() ?? []);
      return slow.length === 0 ? null : Promise.all(slow);
    },
    async ask(method, params, signal) {
      const answered = new AbortController();
      const either = AbortSignal.any([signal, answered.signal]);
      try {
        return await Promise.any([...clients].map((client) => client.ask(method, params, either)));
      } catch {
        signal.throwIfAborted();
        throw new RequestFault("invalidRequest", "No client gave an answer.");
      } finally {
        answered.abort();
      }
    },
  };
}
