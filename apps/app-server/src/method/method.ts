import type { ClientMethod, ClientParams, ClientResult } from "@unroll/app-server-protocol";
import type { RateLimits } from "@unroll/protocol";
import type { ThreadHost } from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import type { ThreadClients } from "../thread/thread-clients.ts";
import type { Threads } from "../thread/threads.ts";
import type { Client } from "../wire/client.ts";
import type { Logins } from "./logins.ts";

/** The services that methods use. */
export interface ServerParts {
  readonly io: ProcessIo;
  readonly version: string;
  readonly threadHost: ThreadHost<ThreadClients>;
  readonly threads: Threads;
  readonly logins: Logins;
  /** The limits of the account that a provider reported last; null: none did. */
  readonly rateLimits: () => RateLimits | null;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
}

export interface MethodContext extends ServerParts {
  readonly client: Client;
}

/** `after` runs once the client got the result. */
export interface MethodReply<Name extends ClientMethod> {
  readonly result: ClientResult<Name>;
  readonly after?: () => void;
}

/** The methods by name; their parameters are checked before. */
export type MethodTable<Names extends ClientMethod> = {
  readonly [Name in Names]: (params: ClientParams<Name>, context: MethodContext) => Promise<MethodReply<Name>>;
};

/** The methods of one group. */
export type MethodsOf<Group extends string> = Extract<ClientMethod, `${Group}/${string}`>;
