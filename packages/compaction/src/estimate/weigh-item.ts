import type { ContentPart, ReasoningItem, ResponseItem } from "@unroll/protocol";
import { countBytes } from "@unroll/text";
import { estimateImageTokens } from "./image-tokens.ts";

/** The parts of an item that cost tokens: text by its bytes, everything else by its own measure. */
export interface ItemWeight {
  /** Of ordinary text. */
  readonly bytes: number;
  readonly tokens: number;
}

/** Around each item: its role or name, and where it ends. */
const frameTokens = 4;
/** A server's wrapping of encrypted content. */
const sealBytes = 500;
/** For the text inside. */
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

/** Hashes, keys and encoded bytes: long runs of letters and digits without a word in them. */
const denseRun = /[A-Za-z0-9+/]{20,}/g;
const leastDigits = 0.08;

/**
 * How many bytes of ordinary text cost what this one costs. Tokenizers find no words in encoded bytes: hexadecimal digits
 * take about twice the tokens of text of their length, base64 about three times.
 */
function weighText(text: string): number {
  let bytes = countBytes(text);
  for (const [run] of text.matchAll(denseRun)) {
    const digits = run.length - run.replaceAll(/\d/g, "").length;
    if (digits >= leastDigits * run.length) bytes += /^[0-9a-f]+$|^[0-9A-F]+$/.test(run) ? run.length : 2 * run.length;
  }
  return bytes;
}

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
