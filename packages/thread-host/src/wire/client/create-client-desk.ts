import type { RequestId } from "../message/parse-message.ts";
import { RequestFault } from "../message/request-fault.ts";
import type { LineClient, LineNotice, LineQuestions, LineService } from "./line-service.ts";
import type { Outbox } from "./client-connection.ts";

/** A client, and the side that its connection uses. */
export interface ClientDesk<Questions extends LineQuestions, Notice extends LineNotice> {
  readonly client: LineClient<Questions, Notice>;
  /** Returns whether the question was still open. */
  answer(id: RequestId, answer: { readonly result: unknown; readonly fault: string | null }): boolean;
  /** The client wants none of these. */
  optOut(methods: readonly string[]): void;
}

export function createClientDesk<Questions extends LineQuestions, Notice extends LineNotice>(
  service: Pick<LineService<Questions, Notice>, "parseAnswer" | "toResolved">,
  outbox: Outbox,
  ended: AbortSignal,
): ClientDesk<Questions, Notice> {
  const open = new Map<RequestId, { resolve(result: unknown): void; reject(error: Error): void }>();
  let unwanted: ReadonlySet<string> = new Set();
  let next = 0;

  function notify({ method, params }: LineNotice): void {
    if (!unwanted.has(method)) outbox.post({ method, params });
  }

  /** Resolves with the client's answer, unchecked. */
  async function post(question: LineNotice, signal: AbortSignal): Promise<unknown> {
    const id = next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const over = AbortSignal.any([signal, ended]);
    const withdraw = (): void => reject(signal.aborted ? toError(signal.reason) : gone());
    if (over.aborted) withdraw();
    over.addEventListener("abort", withdraw, { once: true });
    open.set(id, { resolve, reject });
    try {
      outbox.post({ id, ...question });
      return await promise;
    } finally {
      open.delete(id);
      over.removeEventListener("abort", withdraw);
      notify(service.toResolved(question.params, id));
    }
  }

  return {
    client: {
      ended,
      notify,
      room: () => outbox.room(),
      async ask(method, params, signal) {
        return service.parseAnswer(method, await post({ method, params }, signal));
      },
    },
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
