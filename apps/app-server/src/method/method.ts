import type { ClientMethod, ClientParams, ClientResult } from "@unroll/app-server-protocol";
import type { ThreadHost } from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import type { ThreadClients } from "../thread/thread-clients.ts";
import type { Threads } from "../thread/threads.ts";
import type { Client } from "../wire/client.ts";
import type { Logins } from "./logins.ts";

/** What methods work on. */
export interface ServerParts {
  readonly io: ProcessIo;
  readonly version: string;
  readonly threadHost: ThreadHost<ThreadClients>;
  readonly threads: Threads;
  readonly logins: Logins;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
}

export interface MethodContext extends ServerParts {
  readonly client: Client;
}

/** `after`: once the client was told. */
export interface MethodReply<Name extends ClientMethod> {
  readonly result: ClientResult<Name>;
  readonly after?: () => void;
}

/** What answers these methods; their parameters were checked. */
export type MethodTable<Names extends ClientMethod> = {
  readonly [Name in Names]: (params: ClientParams<Name>, context: MethodContext) => Promise<MethodReply<Name>>;
};

/** The methods that begin so. */
export type MethodsOf<Group extends string> = Extract<ClientMethod, `${Group}/${string}`>;
