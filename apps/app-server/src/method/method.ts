import type { ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "@unroll/harness";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import type { ThreadStore } from "@unroll/protocol";
import type { ClientMethod, Params, Result } from "../schema/client-requests.ts";
import type { Threads } from "../thread/threads.ts";
import type { Client } from "../wire/client.ts";
import { parseParams } from "../wire/parse-message.ts";

/** What methods work on. */
export interface ServerParts {
  readonly io: ProcessIo;
  readonly host: HostEnvironment;
  /** What the server was started with. */
  readonly flags: ProgramFlags;
  readonly version: string;
  readonly threads: Threads;
  readonly logins: Map<string, AbortController>;
  /** The config as it is now, for a folder; null: the server's own. */
  readonly loadConfig: (cwd: string | null) => Promise<ResolvedConfig>;
  readonly openStore: () => Promise<ThreadStore>;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
}

export interface MethodContext extends ServerParts {
  readonly client: Client;
}

/** `after`: once the client was told. */
interface MethodReply<Method extends ClientMethod> {
  readonly result: Result<Method>;
  readonly after?: () => void;
}

export type Method = (params: unknown, context: MethodContext) => Promise<MethodReply<ClientMethod>>;

/** One method: its parameters are checked before it runs. */
export function defineMethod<Name extends ClientMethod>(
  name: Name,
  run: (params: Params<Name>, context: MethodContext) => Promise<MethodReply<Name>>,
): Method {
  return (params, context) => run(parseParams(name, params), context);
}
