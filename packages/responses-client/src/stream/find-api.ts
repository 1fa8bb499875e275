import { drain } from "@unroll/flow";
import type { AttemptOutcome } from "../retry/settle-attempt.ts";
import type { Call } from "../transport/call.ts";
import type { Answer } from "../transport/exchange.ts";
import { readBody } from "../transport/read-body.ts";

/** Which API a server has: `chat_only`: that of chat completions, which is not spoken here. Null: it cannot be told. */
export type ServerApi = "responses" | "chat_only" | null;

/** Sends a call and makes an outcome of what becomes of it. */
export type Attempt = (call: Call) => AsyncGenerator<never, AttemptOutcome<ProbedPath>>;

interface ProbedPath {
  readonly type: "completed";
  readonly isThere: boolean;
}

const noPathStatuses: ReadonlySet<number> = new Set([404, 405, 501]);
const probeBody = { maxBytes: 4096, patienceMs: 5000 } as const;

/** Asks for each path by an empty request, which every server refuses: one that does not have the path, as not found. Costs nothing. */
export async function findApi(attempt: Attempt): Promise<ServerApi> {
  const hasPath = async (path: Call["path"]): Promise<boolean | null> => {
    const body = [new TextEncoder().encode("{}")];
    const outcome = await drain(attempt({ path, accept: "application/json", origin: null, queryParams: {}, body }));
    if (outcome.type === "completed") return outcome.isThere;
    const status = outcome.type === "failed" ? outcome.error.status : undefined;
    return status === undefined ? null : !noPathStatuses.has(status);
  };
  if ((await hasPath("/chat/completions")) !== true) return null;
  const hasResponses = await hasPath("/responses");
  if (hasResponses === null) return null;
  return hasResponses ? "responses" : "chat_only";
}

/** What a server says that took the empty request: LM Studio tells of a path that it does not have with status 200. */
// oxlint-disable-next-line require-yield -- a generator to be settled like a stream
export async function* probePath(send: () => Promise<Answer>): AsyncGenerator<never, ProbedPath> {
  const answer = await send();
  try {
    return { type: "completed", isThere: !/unexpected endpoint/i.test(await readBody(answer, probeBody)) };
  } finally {
    answer.destroy();
  }
}
