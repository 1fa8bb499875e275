import type { ContentPart, ReasoningItem, ResponseItem } from "@unroll/protocol";
import { countBytes } from "@unroll/text";
import { estimateImageTokens } from "./image-tokens.ts";

/** What of an item costs tokens: text by its bytes, the rest as it is. */
export interface ItemWeight {
  readonly bytes: number;
  readonly tokens: number;
}

/** Around each item: its role or name, and where it ends. */
const frameTokens = 4;
/** Of what a server encrypts: its own wrapping. */
const sealBytes = 500;
/** Of the text inside. */
const sealedBytesPerToken = 4;

export function weighItem(item: ResponseItem): ItemWeight {
  switch (item.type) {
    case "message":
      return weighParts(item.content);
    case "function_call":
      return weighText(item.name + item.arguments);
    case "custom_tool_call":
      return weighText(item.name + item.input);
    case "function_call_output":
    case "custom_tool_call_output":
      return typeof item.output === "string" ? weighText(item.output) : weighParts(item.output);
    case "reasoning":
      return weighReasoning(item);
    case "compaction":
      return { bytes: 0, tokens: frameTokens + estimateSealed(item.encrypted_content) };
    case "web_search_call":
      return weighText(JSON.stringify(item.action ?? {}));
    case "unknown":
      return weighText(item.json);
  }
}

function weighText(text: string): ItemWeight {
  return { bytes: countBytes(text), tokens: frameTokens };
}

function weighParts(parts: readonly ContentPart[]): ItemWeight {
  let [bytes, tokens] = [0, frameTokens];
  for (const part of parts) {
    if (part.type === "input_image") tokens += estimateImageTokens(part);
    else bytes += countBytes(part.type === "refusal" ? part.refusal : part.text);
  }
  return { bytes, tokens };
}

/** The model is given what it thought, not the summary. */
function weighReasoning({ encrypted_content: sealed, content, summary }: ReasoningItem): ItemWeight {
  if (typeof sealed === "string") return { bytes: 0, tokens: frameTokens + estimateSealed(sealed) };
  return weighText((content ?? summary).map(({ text }) => text).join(""));
}

/** Base64 holds 3 bytes in 4 characters. */
function estimateSealed({ length }: string): number {
  return Math.ceil(Math.max(0, (length * 3) / 4 - sealBytes) / sealedBytesPerToken);
}
