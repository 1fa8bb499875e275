import { type FrontEndOptions, openFrontEnd } from "@unroll/front-end";
import type { ServerParts } from "./method/method.ts";
import { methods } from "./method/methods.ts";
import { createThreads } from "./thread/threads.ts";
import type { Service } from "./wire/serve-client.ts";

export interface ServiceOptions extends Omit<FrontEndOptions, "name"> {
  readonly version: string;
}

/** All that clients can ask for. Any number of clients, each told of the threads that it opened or went on with. */
export function openService({ version, ...options }: ServiceOptions): Service & AsyncDisposable {
  const frontEnd = openFrontEnd({ ...options, name: "unroll_app_server" });
  const { io, signal } = options;
  const threads = createThreads(frontEnd, io);
  const parts: ServerParts = { io, version, frontEnd, threads, logins: new Map(), signal };
  return {
    run: (method, params, client) => methods[method](params, { ...parts, client }),
    async leave(client) {
      await Promise.all(threads.list().map(({ thread }) => threads.leave(thread.id, client)));
    },
    [Symbol.asyncDispose]: () => frontEnd[Symbol.asyncDispose](),
  };
}
