import type { ModelError, ResponseItem, ResponseUsage } from "@unroll/protocol";
import * as z from "zod";
import { decodeItem } from "../decode/decode-item.ts";
import { sliceJson, sliceMember } from "../decode/slice-json.ts";
import { usageSchema } from "../decode/usage-schema.ts";
import type { Answer } from "../transport/exchange.ts";
import { readJson } from "./read-json.ts";

/** How a compaction ended. `items` stand in for the whole input that was sent. */
export type CompactOutcome =
  | { readonly type: "completed"; readonly items: readonly ResponseItem[]; readonly usage: ResponseUsage | null }
  | { readonly type: "failed"; readonly error: ModelError }
  | { readonly type: "aborted" };

export type CompletedCompaction = Extract<CompactOutcome, { readonly type: "completed" }>;

const answerSchema = z.object({ output: z.array(z.unknown()), usage: usageSchema });

/** Reads the answer of `POST /responses/compact`. */
export async function readCompaction(answer: Answer, idleTimeoutMs: number): Promise<CompletedCompaction> {
  const { value, text } = await readJson(answer, answerSchema, idleTimeoutMs);
  const slices = sliceJson(sliceMember(text, "output") ?? "");
  const items = value.output.flatMap((item, index) => decodeItem(item, () => slices[index]?.text ?? null) ?? []);
  return { type: "completed", items, usage: value.usage };
}
