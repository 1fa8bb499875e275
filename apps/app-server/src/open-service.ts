import { type ServerNotification, clientRequests, type ClientMethod } from "@unroll/app-server-protocol";
import type { RateLimits } from "@unroll/protocol";
import { ThreadHostError, type ThreadHostOptions, openThreadHost } from "@unroll/thread-host";
import { type LineService, RequestFault } from "@unroll/thread-host/wire";
import { createLogins } from "./method/logins.ts";
import type { ServerParts } from "./method/method.ts";
import { missingMethods } from "./method/missing-methods.ts";
import { answerRequest } from "./method/methods.ts";
import type { ThreadClients } from "./thread/thread-clients.ts";
import { createThreads } from "./thread/threads.ts";
import { toWireRateLimits } from "./map/to-wire-rate-limits.ts";
import type { Client, ServerQuestions } from "./wire/client.ts";
import { checkLimits } from "./wire/check-limits.ts";
import { parseAnswer, parseParams } from "./wire/parse-wire.ts";
import { tellIgnored } from "./wire/tell-ignored.ts";

export interface ServiceOptions extends Omit<ThreadHostOptions, "name"> {
  readonly version: string;
}

type Service = LineService<ServerQuestions, ServerNotification> & AsyncDisposable;

/** The service for any number of clients; each gets the events of the threads that it opened or resumed. */
export function openService({ version, ...options }: ServiceOptions): Service {
  const clients = new Set<Client>();
  let rateLimits: RateLimits | null = null;
  const onRateLimits = (limits: RateLimits): void => {
    rateLimits = limits;
    const params = { rateLimits: toWireRateLimits(limits) };
    for (const client of clients) client.notify({ method: "account/rateLimits/updated", params });
  };
  const harness = { ...options.harness, onRateLimits };
  const threadHost = openThreadHost<ThreadClients>({ ...options, harness, name: "unroll_app_server" });
  const { io, signal } = options;
  const threads = createThreads(threadHost, io);
  const parts: ServerParts = {
    io,
    version,
    threadHost,
    threads,
    logins: createLogins(threadHost.host.newId),
    rateLimits: () => rateLimits,
    signal,
  };
  return {
    hasMethod: (method) => isMethod(method) || missingMethods.has(method),
    parseAnswer,
    readUnwanted: (params) => parseParams("initialize", params).capabilities?.optOutNotificationMethods ?? [],
    async run(method, params, client) {
      clients.add(client);
      if (!isMethod(method)) {
        const reason = missingMethods.get(method);
        throw new RequestFault("unknownMethod", `There is no method ${method}${reason ? `: ${reason}` : ""}.`);
      }
      const ignored = checkLimits(method, params, { cwd: findFolder(params, parts) });
      try {
        const { result, after } = await answerRequest(method, params, { ...parts, client });
        return {
          result,
          after() {
            after?.();
            tellIgnored(client, method, ignored);
          },
        };
      } catch (error) {
        throw error instanceof ThreadHostError && error.isOfInput
          ? new RequestFault("invalidParams", error.message)
          : error;
      }
    },
    toResolved: (params, requestId) => ({
      method: "serverRequest/resolved",
      params: { threadId: "threadId" in params ? String(params.threadId) : "", requestId },
    }),
    toStray(id) {
      const message = `Ignored the answer to question ${JSON.stringify(id)}: it was answered or withdrawn before, or never asked.`;
      return { method: "warning", params: { threadId: null, message } };
    },
    async leave(client) {
      clients.delete(client);
      await Promise.all([...threadHost.threads.keys()].map((id) => threads.leave(id, client)));
    },
    [Symbol.asyncDispose]: () => threadHost[Symbol.asyncDispose](),
  };
}

function isMethod(method: string): method is ClientMethod {
  return Object.hasOwn(clientRequests, method);
}

/** The folder that a request is about. */
function findFolder(params: unknown, { threadHost, io }: Pick<ServerParts, "threadHost" | "io">): string {
  const read = (name: string): unknown => Reflect.get(Object(params), name);
  const [cwd, threadId] = [read("cwd"), read("threadId")];
  if (typeof cwd === "string") return cwd;
  return (typeof threadId === "string" ? threadHost.threads.get(threadId)?.config.cwd : undefined) ?? io.cwd;
}
