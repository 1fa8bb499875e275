import type { ContentPart, ResponseItem } from "@unroll/protocol";
import { bytesPerToken, countBytes, takeEnd, takeStart } from "@unroll/text";

interface CutSize {
  readonly mostTokens: number;
  readonly estimate: (items: readonly ResponseItem[]) => number;
}

/**
 * A copy of an item with its text cut to about so many tokens, head and tail kept; the item itself where it has no more. Arguments of a
 * call stay valid JSON. Images and what only a server can read are left out: they cannot be cut.
 */
export function cutItem(item: ResponseItem, { mostTokens, estimate }: CutSize): ResponseItem {
  const tokens = estimate([item]);
  if (tokens <= mostTokens) return item;
  // dense text and the escapes of JSON weigh more than their share
  for (let share = mostTokens / tokens; ; share *= 0.8) {
    const copy = cutTexts(item, share);
    if (share < leastShare || estimate([copy]) <= mostTokens) return copy;
  }
}

const leastShare = 0.001;

/** `share`: of each of its texts. */
function cutTexts(item: ResponseItem, share: number): ResponseItem {
  const cut = (text: string): string => cutText(text, Math.floor(countBytes(text) * share));
  switch (item.type) {
    case "message":
      return { ...item, content: item.content.map((part) => cutPart(part, cut)) };
    case "function_call":
      return { ...item, arguments: JSON.stringify({ left_out: cut(item.arguments) }) };
    case "custom_tool_call":
      return { ...item, input: cut(item.input) };
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = item;
      return { ...item, output: typeof output === "string" ? cut(output) : output.map((part) => cutPart(part, cut)) };
    }
    case "reasoning":
      return { type: "message", role: "assistant", content: [{ type: "output_text", text: "[reasoning left out]" }] };
    case "compaction":
    case "web_search_call":
    case "unknown":
      return item;
  }
}

function cutPart<Part extends ContentPart>(part: Part, cut: (text: string) => string): Part | TextPart {
  if (part.type === "input_image") return { type: "input_text", text: "[an image, left out here]" };
  return part.type === "refusal" ? part : { ...part, text: cut(part.text) };
}

type TextPart = Extract<ContentPart, { readonly type: "input_text" }>;

function cutText(text: string, mostBytes: number): string {
  if (countBytes(text) <= mostBytes) return text;
  const half = Math.max(0, Math.floor((mostBytes - markerBytes) / 2));
  const [head, tail] = [takeStart(text, half), takeEnd(text, half)];
  const missing = Math.ceil((countBytes(text) - countBytes(head) - countBytes(tail)) / bytesPerToken);
  return `${head}\n[about ${missing} tokens left out]\n${tail}`;
}

/** The size of the line between head and tail. */
const markerBytes = 40;
