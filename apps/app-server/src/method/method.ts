import type { ClientMethod, ClientParams, ClientResult } from "@unroll/app-server-protocol";
import type { FrontEnd } from "@unroll/front-end";
import type { ProcessIo } from "@unroll/program";
import type { Threads } from "../thread/threads.ts";
import type { Client } from "../wire/client.ts";
import { parseParams } from "../wire/parse-wire.ts";

/** What methods work on. */
export interface ServerParts {
  readonly io: ProcessIo;
  readonly version: string;
  readonly frontEnd: FrontEnd;
  readonly threads: Threads;
  readonly logins: Map<string, AbortController>;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
}

export interface MethodContext extends ServerParts {
  readonly client: Client;
}

/** `after`: once the client was told. */
interface MethodReply<Method extends ClientMethod> {
  readonly result: ClientResult<Method>;
  readonly after?: () => void;
}

export type Method = (params: unknown, context: MethodContext) => Promise<MethodReply<ClientMethod>>;

/** One method: its parameters are checked before it runs. */
export function defineMethod<Name extends ClientMethod>(
  name: Name,
  run: (params: ClientParams<Name>, context: MethodContext) => Promise<MethodReply<Name>>,
): Method {
  return (params, context) => run(parseParams(name, params), context);
}
