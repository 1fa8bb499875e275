import type { CompactionOutcome, ResponseItem } from "@unroll/protocol";
import * as z from "zod";
import { usageSchema } from "../decode/decode-ending.ts";
import { decodeItem } from "../decode/decode-item.ts";
import { parseJson, sliceJson, sliceMember } from "../decode/slice-json.ts";
import { readRequestId } from "../failure/http-failure.ts";
import { createTerminalFailure } from "../failure/terminal-failure.ts";
import { readWhole } from "../transport/accept-answer.ts";
import type { Answer } from "../transport/exchange.ts";

export type CompletedCompaction = Extract<CompactionOutcome, { readonly type: "completed" }>;

const answerSchema = z.object({
  id: z.string().catch(""),
  output: z.array(z.record(z.string(), z.unknown())),
  usage: usageSchema,
});
/** More than any conversation that fits a model's window. */
const mostBytes = 256 * 1024 * 1024;

/** The answer to `POST /responses/compact`, as of `readWhole`. */
export function readCompaction(
  send: () => Promise<Answer>,
  patienceMs: number,
): AsyncGenerator<never, CompletedCompaction> {
  return readWhole(send, { maxBytes: mostBytes, patienceMs }, (body, { host, headers }) => {
    const parsed = answerSchema.safeParse(parseJson(body));
    if (parsed.success) {
      const { id: responseId, output, usage } = parsed.data;
      return { type: "completed", responseId, items: decodeItems(output, body), usage: usage ?? null };
    }
    const message = "its compacted thread is malformed";
    const origin = { host, ...readRequestId(headers) };
    throw createTerminalFailure({ type: "error", code: "invalid_answer", message }, origin);
  });
}

/** Items keep the text that they were written in. */
function decodeItems(values: readonly unknown[], body: string): readonly ResponseItem[] {
  const texts = sliceJson(sliceMember(body, "output") ?? "[]");
  return values.flatMap((value, index) => decodeItem(value, () => texts[index]?.text ?? null) ?? []);
}
