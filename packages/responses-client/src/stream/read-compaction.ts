import type { CompactionOutcome, ResponseItem } from "@unroll/protocol";
import * as z from "zod";
import { usageSchema } from "../decode/decode-ending.ts";
import { decodeItem } from "../decode/decode-item.ts";
import { parseJson, sliceJson, sliceMember } from "../decode/slice-json.ts";
import { readRequestId } from "../failure/http-failure.ts";
import { createTerminalFailure } from "../failure/terminal-failure.ts";
import { readBody } from "../transport/accept-answer.ts";
import type { Answer } from "../transport/exchange.ts";

export type CompletedCompaction = Extract<CompactionOutcome, { readonly type: "completed" }>;

const answerSchema = z.object({
  id: z.string().catch(""),
  output: z.array(z.record(z.string(), z.unknown())),
  usage: usageSchema,
});
/** More than any conversation that fits a model's window. */
const mostBytes = 256 * 1024 * 1024;

/**
 * The answer to `POST /responses/compact`, which is not streamed. Throws a `RequestFailure` where it is cut, late or of
 * another kind. It yields nothing: it is a generator to be retried like a stream.
 */
// oxlint-disable-next-line require-yield -- see above
export async function* readCompaction(
  send: () => Promise<Answer>,
  patienceMs: number,
): AsyncGenerator<readonly never[], CompletedCompaction> {
  const answer = await send();
  try {
    const body = await readBody(answer, { maxBytes: mostBytes, patienceMs });
    const parsed = answerSchema.safeParse(parseJson(body));
    if (parsed.success) {
      const { id: responseId, output, usage } = parsed.data;
      return { type: "completed", responseId, items: decodeItems(output, body), usage: usage ?? null };
    }
    const message = "its shortened conversation is malformed";
    const origin = { host: answer.host, ...readRequestId(answer.headers) };
    throw createTerminalFailure({ type: "error", code: "invalid_answer", message }, origin);
  } finally {
    answer.destroy();
  }
}

/** Items keep the text that they were written in. */
function decodeItems(values: readonly unknown[], body: string): readonly ResponseItem[] {
  const texts = sliceJson(sliceMember(body, "output") ?? "[]");
  return values.flatMap((value, index) => decodeItem(value, () => texts[index]?.text ?? null) ?? []);
}
