import type { ModelError } from "@unroll/protocol";
import * as z from "zod";
import { drain } from "@unroll/flow";
import { parseJson } from "../decode/slice-json.ts";
import type { AttemptOutcome } from "../retry/settle-attempt.ts";
import { readWhole } from "../transport/accept-answer.ts";
import type { Call } from "../transport/call.ts";
import type { Answer } from "../transport/exchange.ts";

/** Whether a provider can be asked at all. */
export type ReachOutcome =
  /**
   * `models`: the ids that it lists; null where it lists none in the way of the OpenAI API, nor in that of a ChatGPT login. `entries`: the list as it is, with whatever
   * this server says of each.
   */
  | { readonly type: "reached"; readonly models: readonly string[] | null; readonly entries: readonly unknown[] }
  /** Something answers there that knows no such list: a server without one, or at another path. */
  | { readonly type: "no_list"; readonly status: number }
  /** `error.message` says what to do. */
  | { readonly type: "failed"; readonly error: ModelError }
  | { readonly type: "aborted" };

/** The OpenAI API's, and that of a ChatGPT login. */
const listSchema = z.union([
  z.object({ data: z.array(z.looseObject({ id: z.string() })) }),
  z.object({ models: z.array(z.looseObject({ slug: z.string() })) }),
]);
/** Some gateways list thousands. */
const mostBytes = 4 * 1024 * 1024;
/** The statuses of a server that does not have a path. */
const noPathStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

type Reached = Extract<ReachOutcome, { readonly type: "reached" }>;

/** The answer to `GET /models`, as of `readWhole`. */
export function readModels(send: () => Promise<Answer>, patienceMs: number): AsyncGenerator<never, Reached> {
  return readWhole(send, { maxBytes: mostBytes, patienceMs }, (body) => {
    const parsed = listSchema.safeParse(parseJson(body));
    if (!parsed.success) return { type: "reached", models: null, entries: [] };
    const list = parsed.data;
    if ("data" in list) return { type: "reached", models: list.data.map(({ id }) => id), entries: list.data };
    return { type: "reached", models: list.models.map(({ slug }) => slug), entries: list.models };
  });
}

export function toReachOutcome(outcome: AttemptOutcome<Reached>): ReachOutcome {
  if (outcome.type !== "failed") return outcome;
  const { error } = outcome;
  const status = error.status ?? 0;
  return noPathStatuses.has(status) ? { type: "no_list", status } : { type: "failed", error };
}

/** The API of a server: `chat_only` means chat completions, which are not supported here. Null: unknown. */
export type ServerApi = "responses" | "chat_only" | null;

/** Sends a call and makes an outcome of what becomes of it. */
type Attempt = (call: Call) => AsyncGenerator<never, AttemptOutcome<ProbedPath>>;

interface ProbedPath {
  readonly type: "completed";
  readonly isThere: boolean;
}

const probeBody = { maxBytes: 4096, patienceMs: 5000 } as const;

/** Asks for each path by an empty request, which every server refuses: one that does not have the path, as not found. Costs nothing. */
export async function findApi(attempt: Attempt): Promise<ServerApi> {
  const hasPath = async (path: Call["path"]): Promise<boolean | null> => {
    const body = [new TextEncoder().encode("{}")];
    const outcome = await drain(attempt({ path, accept: "application/json", body }));
    if (outcome.type === "completed") return outcome.isThere;
    const status = outcome.type === "failed" ? outcome.error.status : undefined;
    return status === undefined ? null : !noPathStatuses.has(status);
  };
  if ((await hasPath("/chat/completions")) !== true) return null;
  const hasResponses = await hasPath("/responses");
  if (hasResponses === null) return null;
  return hasResponses ? "responses" : "chat_only";
}

/** The response to an empty request: LM Studio reports a missing path with status 200. */
export function probePath(send: () => Promise<Answer>): AsyncGenerator<never, ProbedPath> {
  return readWhole(send, probeBody, (body) => ({ type: "completed", isThere: !/unexpected endpoint/i.test(body) }));
}
