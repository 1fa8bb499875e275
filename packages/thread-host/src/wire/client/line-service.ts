import type { RequestId } from "../message/parse-message.ts";
import type { LineClient } from "./line-client.ts";
import type { LineNotice, LineQuestions } from "./line-questions.ts";

/** What a request gives, and what is to happen once the client was told. */
interface LineReply {
  readonly result: unknown;
  readonly after?: () => void;
}

/** Who does what clients ask, in the words of its protocol. The request `initialize` comes first, and once. */
export interface LineService<Questions extends LineQuestions, Notice extends LineNotice> {
  hasMethod(method: string): boolean;
  /** Throws `RequestFault`; whatever else it throws is told as a program tells its failures. */
  run(method: string, params: unknown, client: LineClient<Questions, Notice>): Promise<LineReply>;
  /** Of the parameters of `initialize`: the notices that this client wants none of. Throws `RequestFault`. */
  readUnwanted(params: unknown): readonly string[];
  /** Throws `RequestFault` where it is no answer to that question. */
  parseAnswer<Method extends keyof Questions & string>(method: Method, result: unknown): Questions[Method]["result"];
  /** What is told when a question is over, answered or not. */
  toResolved(params: object, id: number): Notice;
  /** What is told where an answer comes to what is no open question. */
  toStray(id: RequestId): Notice;
  /** The client is gone: resolves when nothing runs any more that only it wanted. */
  leave(client: LineClient<Questions, Notice>): Promise<void>;
}
