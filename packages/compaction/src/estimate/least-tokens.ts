import type { ResponseItem } from "@unroll/protocol";
import { weighItem } from "./weigh-item.ts";

/** No tokenizer makes fewer tokens of text than this, over the instructions, schemas and messages of a request. */
const mostBytesPerToken = 6.5;

/**
 * The fewest tokens that a request of these items can have; `headBytes`: of its instructions and tools. Images and reasoning count for
 * nothing: a template may leave both out. A server that counts fewer has not read all of it.
 */
export function countLeastTokens(items: readonly ResponseItem[], headBytes: number): number {
  const bytes = items.reduce((sum, item) => (item.type === "reasoning" ? sum : sum + weighItem(item).bytes), headBytes);
  return Math.floor(bytes / mostBytesPerToken);
}
