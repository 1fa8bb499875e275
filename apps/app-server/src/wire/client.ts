import type { ServerMethod, ServerNotification, ServerParams, ServerResult } from "@unroll/app-server-protocol";
import type { ClientGroup, LineClient } from "@unroll/thread-host/wire";

/** The requests to clients, by method. */
export type ServerQuestions = {
  readonly [Method in ServerMethod]: { readonly params: ServerParams<Method>; readonly result: ServerResult<Method> };
};

/** One client of the server. */
export type Client = LineClient<ServerQuestions, ServerNotification>;
/** The clients of one thread. */
export type ClientsOfThread = ClientGroup<ServerQuestions, ServerNotification>;
