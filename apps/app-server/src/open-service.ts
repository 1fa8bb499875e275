import {
  createHostEnvironment,
  loadProgramConfig,
  openProgramStore,
  type ProcessIo,
  type ProgramFlags,
} from "@unroll/program";
import type { MethodContext, ServerParts } from "./method/method.ts";
import { methods } from "./method/methods.ts";
import { createHarnessPool } from "./thread/harness-pool.ts";
import { createThreads } from "./thread/threads.ts";
import type { Service } from "./wire/serve-client.ts";

export interface ServiceOptions {
  readonly io: ProcessIo;
  readonly flags: ProgramFlags;
  readonly version: string;
  /** Stops what waits; the threads end when the service is disposed. */
  readonly signal: AbortSignal;
}

/** All that clients can ask for. Any number of clients, each told of the threads that it opened or went on with. */
export function openService({ io, flags, version, signal }: ServiceOptions): Service & AsyncDisposable {
  const host = createHostEnvironment(io);
  const threads = createThreads({ io, flags, harnesses: createHarnessPool(host), signal });
  const loadConfig: ServerParts["loadConfig"] = (cwd) =>
    loadProgramConfig(cwd === null ? flags : { ...flags, cd: cwd }, host);
  const parts: ServerParts = {
    io,
    host,
    flags,
    version,
    threads,
    logins: new Map(),
    loadConfig,
    openStore: async () => openProgramStore((await loadConfig(null)).codexHome, io),
    signal,
  };
  return {
    run(method, params, client) {
      const context: MethodContext = { ...parts, client };
      return methods[method](params, context);
    },
    async leave(client) {
      await Promise.all([...threads.all.keys()].map((id) => threads.leave(id, client)));
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}
