import type { ServerMethod, ServerNotification, ServerParams, ServerResult } from "@unroll/app-server-protocol";
import type { Outbox } from "./link.ts";
import { parseAnswer, type RequestId } from "./parse-message.ts";
import { RequestFault } from "./request-fault.ts";

/** One client, as threads see it. */
export interface Client {
  /** Aborts when it is gone. */
  readonly ended: AbortSignal;
  notify(notification: ServerNotification): void;
  /**
   * Asks it something. Rejects with the signal's reason when the answer is no longer wanted, and with `RequestFault` where it
   * refuses, is gone, or says what is no answer. The client is told when the question is over.
   */
  ask<Method extends ServerMethod>(
    method: Method,
    params: ServerParams<Method>,
    signal: AbortSignal,
  ): Promise<ServerResult<Method>>;
  /** As of `Outbox`. */
  room(): Promise<void>;
}

/** The side of it that its connection uses. */
export interface ClientDesk {
  readonly client: Client;
  /** Says whether the question was still open. */
  answer(id: RequestId, answer: { readonly result: unknown; readonly fault: string | null }): boolean;
  /** It wants none of these. */
  optOut(methods: readonly string[]): void;
}

export function createClient(outbox: Outbox, ended: AbortSignal): ClientDesk {
  const open = new Map<RequestId, { resolve(result: unknown): void; reject(error: Error): void }>();
  let unwanted: ReadonlySet<string> = new Set();
  let next = 0;

  function notify({ method, params }: ServerNotification): void {
    if (!unwanted.has(method)) outbox.post({ method, params });
  }

  async function ask<Method extends ServerMethod>(
    method: Method,
    params: ServerParams<Method>,
    signal: AbortSignal,
  ): Promise<ServerResult<Method>> {
    const id = next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const over = AbortSignal.any([signal, ended]);
    const withdraw = (): void => reject(signal.aborted ? toError(signal.reason) : gone());
    if (over.aborted) withdraw();
    over.addEventListener("abort", withdraw, { once: true });
    open.set(id, { resolve, reject });
    try {
      outbox.post({ id, method, params });
      return parseAnswer(method, await promise);
    } finally {
      open.delete(id);
      over.removeEventListener("abort", withdraw);
      notify({ method: "serverRequest/resolved", params: { threadId: params.threadId, requestId: id } });
    }
  }

  return {
    client: { ended, notify, ask, room: () => outbox.room() },
    answer(id, { result, fault }) {
      const question = open.get(id);
      if (fault === null) question?.resolve(result);
      else question?.reject(new RequestFault("invalidRequest", fault));
      return question !== undefined;
    },
    optOut: (methods) => void (unwanted = new Set(methods)),
  };
}

function gone(): RequestFault {
  return new RequestFault("invalidRequest", "The client is gone.");
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new RequestFault("invalidRequest", "The question was withdrawn.");
}
