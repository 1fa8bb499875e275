import type { Refusal, RefusedContent } from "@unroll/protocol";
import type { ServerWords } from "./server-words.ts";

const images = String.raw`\b(?:image|vision|multi-?modal|mmproj)\w*`;
const isRefused = String.raw`\bnot? (?:be )?(?:support|allow|enabl|compil)\w*|\bunsupported\b|\bdo(?:es)?(?: not|n't) (?:support|accept|take|have)\b|\bmissing data\b|\bmust be a string\b|\bAt most 0\b`;

/** In order: an image that a template stumbles over is an image. */
const kinds: readonly { readonly kind: RefusedContent; readonly words: readonly RegExp[] }[] = [
  {
    kind: "image",
    words: [
      new RegExp(`${images}[^.]{0,60}(?:${isRefused})`, "i"),
      new RegExp(`(?:${isRefused})[^.]{0,60}${images}`, "i"),
      /\bnot an? (?:multi-?modal|vision)\b/i,
      /\b(?:failed to|cannot|could not|unable to) (?:load|decode|identify|process)\b[^.]{0,20}\bimage/i,
      /\bno endpoints found that support image/i,
      /\bunknown variant [`'"]?(?:image_url|input_image)\b/i,
    ],
  },
  {
    kind: "arguments",
    words: [
      /\bpars\w*[^.]{0,20}\b(?:tool|function)[ _-]?calls?\b[^.]{0,20}\barguments\b/i,
      /\barguments\b[^.]{0,60}\b(?:valid |as |in )?JSON\b/i,
      /\binvalid\b[^.]{0,30}\b(?:tool|function)[ _-]?call[^.]{0,20}\b(?:arguments|json)\b/i,
      /\bjson\.exception\.parse_error\b|\bJSONDecodeError\b/,
      /\b(?:Unterminated string starting at|Expecting (?:value|property name|',' delimiter|':' delimiter)|Invalid \\escape|Invalid control character at)[^]{0,60}\bline \d+ column \d+/,
      /\bunexpected end of JSON input\b/i,
    ],
  },
  {
    kind: "template",
    words: [
      /\bjinja\b/i,
      /\bchat[ _-]?template\b/i,
      /\btemplate\b[^.]{0,40}\b(?:fail|error|exception)/i,
      /\bTemplateError\b/,
    ],
  },
];

/** Which content of the conversation a server cannot use; null: its words name none. */
export function readContent({ status, text }: ServerWords): Extract<Refusal, { readonly type: "content" }> | null {
  if (status === 401 || status === 402 || status === 403 || status === 429) return null;
  const found = kinds.find(({ words }) => words.some((each) => each.test(text)));
  return found === undefined ? null : { type: "content", kind: found.kind };
}
