import type { ContentPart, ReasoningItem, ResponseItem } from "@unroll/protocol";
import { estimateImageTokens } from "./image-tokens.ts";
import { weighText } from "./weigh-text.ts";

/** What of an item costs tokens: text by its bytes, the rest as it is. */
export interface ItemWeight {
  /** Of ordinary text. */
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
      return frameText(item.name + item.arguments);
    case "custom_tool_call":
      return frameText(item.name + item.input);
    case "function_call_output":
    case "custom_tool_call_output":
      return typeof item.output === "string" ? frameText(item.output) : weighParts(item.output);
    case "reasoning":
      return weighReasoning(item);
    case "compaction":
      return { bytes: 0, tokens: frameTokens + estimateSealed(item.encrypted_content) };
    case "web_search_call":
      return frameText(JSON.stringify(item.action ?? {}));
    case "unknown":
      return frameText(item.json);
  }
}

function frameText(text: string): ItemWeight {
  return { bytes: weighText(text), tokens: frameTokens };
}

function weighParts(parts: readonly ContentPart[]): ItemWeight {
  let [bytes, tokens] = [0, frameTokens];
  for (const part of parts) {
    if (part.type === "input_image") tokens += estimateImageTokens(part);
    else bytes += weighText(part.type === "refusal" ? part.refusal : part.text);
  }
  return { bytes, tokens };
}

/** The model is given what it thought, not the summary. */
function weighReasoning({ encrypted_content: sealed, content, summary }: ReasoningItem): ItemWeight {
  if (typeof sealed === "string") return { bytes: 0, tokens: frameTokens + estimateSealed(sealed) };
  return frameText((content ?? summary).map(({ text }) => text).join(""));
}

/** Base64 holds 3 bytes in 4 characters. */
function estimateSealed({ length }: string): number {
  return Math.ceil(Math.max(0, (length * 3) / 4 - sealBytes) / sealedBytesPerToken);
}
