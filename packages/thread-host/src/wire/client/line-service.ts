import type { RequestId } from "../message/parse-message.ts";

/** The server's questions for a client, by method: the parameters, and the checked answer. */
export type LineQuestions = Readonly<Record<string, { readonly params: object; readonly result: unknown }>>;

/** A message to a client that has no answer. */
export interface LineNotice {
  readonly method: string;
  readonly params: object;
}

/** One client, as a service sees it. */
export interface LineClient<Questions extends LineQuestions, Notice extends LineNotice> {
  /** Aborts when the client is gone. */
  readonly ended: AbortSignal;
  notify(notice: Notice): void;
  /**
   * Asks the client, and tells it when the question is over. Rejects with the signal's reason when the answer is no longer wanted, and
   * with `RequestFault` when the client refuses, is gone, or gives an invalid answer.
   */
  ask<Method extends keyof Questions & string>(
    method: Method,
    params: Questions[Method]["params"],
    signal: AbortSignal,
  ): Promise<Questions[Method]["result"]>;
  /** Resolves when the client has read enough, or is gone; null: it has. Wait for it before you send more. */
  room(): Promise<void> | null;
}

/** The result of a request, and what happens after the client got it. */
interface LineReply {
  readonly result: unknown;
  readonly after?: () => void;
}

/** Answers the requests of clients, in the words of its protocol. `initialize` comes first, and once. */
export interface LineService<Questions extends LineQuestions, Notice extends LineNotice> {
  hasMethod(method: string): boolean;
  /** Throws `RequestFault`; any other error is reported as programs report theirs. */
  run(method: string, params: unknown, client: LineClient<Questions, Notice>): Promise<LineReply>;
  /** The notices that the client does not want, from the parameters of `initialize`. Throws `RequestFault`. */
  readUnwanted(params: unknown): readonly string[];
  /** Throws `RequestFault` for an invalid answer. */
  parseAnswer<Method extends keyof Questions & string>(method: Method, result: unknown): Questions[Method]["result"];
  /** The notice that a question is over. */
  toResolved(params: object, id: number): Notice;
  /** The notice that an answer belongs to no open question. */
  toStray(id: RequestId): Notice;
  /** The client is gone: resolves when nothing runs that only it wanted. */
  leave(client: LineClient<Questions, Notice>): Promise<void>;
}
