import type { ModelError } from "@unroll/protocol";
import * as z from "zod";
import { parseJson } from "../decode/parse-json.ts";
import type { AttemptOutcome } from "../retry/settle-attempt.ts";
import type { Answer } from "../transport/exchange.ts";
import { readBody } from "../transport/read-body.ts";

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
const noListStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

type Reached = Extract<ReachOutcome, { readonly type: "reached" }>;

/** The answer to `GET /models`. Throws a `RequestFailure` where it is cut or late. */
// oxlint-disable-next-line require-yield -- a generator to be settled like a stream
export async function* readModels(send: () => Promise<Answer>, patienceMs: number): AsyncGenerator<never, Reached> {
  const answer = await send();
  try {
    const parsed = listSchema.safeParse(parseJson(await readBody(answer, { maxBytes: mostBytes, patienceMs })));
    if (!parsed.success) return { type: "reached", models: null, entries: [] };
    const list = parsed.data;
    if ("data" in list) return { type: "reached", models: list.data.map(({ id }) => id), entries: list.data };
    return { type: "reached", models: list.models.map(({ slug }) => slug), entries: list.models };
  } finally {
    answer.destroy();
  }
}

export function toReachOutcome(outcome: AttemptOutcome<Reached>): ReachOutcome {
  if (outcome.type !== "failed") return outcome;
  const { error } = outcome;
  const status = error.status ?? 0;
  return noListStatuses.has(status) ? { type: "no_list", status } : { type: "failed", error };
}
