import { RequestFault } from "../message/request-fault.ts";
import type { LineClient } from "./line-client.ts";
import type { LineNotice, LineQuestions } from "./line-questions.ts";

/** Clients that follow the same thing. */
export interface ClientGroup<Questions extends LineQuestions, Notice extends LineNotice> {
  readonly isEmpty: boolean;
  has(client: LineClient<Questions, Notice>): boolean;
  join(client: LineClient<Questions, Notice>): void;
  /** Says whether it was there. */
  leave(client: LineClient<Questions, Notice>): boolean;
  tell(notices: readonly Notice[]): void;
  /** Resolves when each has taken enough of what it was told, or is given up; null: that is so. */
  room(): Promise<unknown> | null;
  /** Asks all of them; the first answer counts. Rejects with the signal's reason, and with `RequestFault` where nobody answers. */
  ask: LineClient<Questions, Notice>["ask"];
}

/** One without clients yet. */
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
