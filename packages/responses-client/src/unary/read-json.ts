import type * as z from "zod";
import { parseJson } from "../decode/parse-json.ts";
import { RequestFailure } from "../failure/request-failure.ts";
import type { Answer } from "../transport/exchange.ts";
import { readBody } from "../transport/read-body.ts";

const longestBody = 256 * 1024 * 1024;

export interface JsonAnswer<Value> {
  readonly value: Value;
  /** The JSON text that it was parsed from. */
  readonly text: string;
}

/** Reads a JSON answer to its end. Throws a `RequestFailure` where it is cut, or not what `schema` says. */
export async function readJson<Value>(
  answer: Answer,
  schema: z.ZodType<Value>,
  patienceMs: number,
): Promise<JsonAnswer<Value>> {
  try {
    const text = await readBody(answer, { maxBytes: longestBody, patienceMs });
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return { value: parsed.data, text };
    throw createMalformedFailure(answer.host);
  } finally {
    answer.destroy();
  }
}

function createMalformedFailure(host: string): RequestFailure {
  const message = `${host} sent an answer that is not of the Responses API; check base_url.`;
  return new RequestFailure("stream", { code: "invalid_answer", message, retryable: false });
}
