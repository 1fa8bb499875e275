import type { Refusal, RoleRule, RefusedContent } from "@unroll/protocol";
import { readOverflow } from "./read-overflow.ts";
import { readShape } from "./read-shape.ts";
import type { ServerWords } from "./server-words.ts";

/**
 * The part that a server refused, from its message and any status. Templates complain about roles,
 * and members about content; the more specific reading comes first. Null: no known workaround.
 */
export function findRefusal(words: ServerWords): Refusal | null {
  return readOverflow(words) ?? readRoleRule(words) ?? readContent(words) ?? readShape(words);
}

const loading =
  /\bloading (?:the )?model\b|\bmodel\b[^.]{0,80}\b(?:is|being) (?:currently |still )?(?:loading|loaded|starting|warming)\b|\bwarming up\b|\bstarting up\b|\bscaling (?:up )?from zero\b/i;
const queued =
  /\b(?:server|service)\b[^.]{0,20}\bbusy\b|\bqueue\b[^.]{0,20}\bfull\b|\b(?:pending|queued) requests exceeded\b|\bnot (?:yet )?ready\b/i;

/**
 * Whether a server is there but cannot respond yet, because it loads its model or has a queue.
 * Waiting helps, and the wait does not count as a retry.
 */
export function isNotReady({ status, text }: Pick<ServerWords, "status" | "text">): boolean {
  if (status === null || status === 500 || status === 502 || status === 504) return loading.test(text);
  return status === 503 && (loading.test(text) || queued.test(text));
}

const rules: readonly { readonly rule: RoleRule; readonly words: RegExp }[] = [
  {
    rule: "alternation",
    words:
      /\broles must (?:strictly )?alternate\b|\balternat\w* (?:between )?user\b|\b(?:consecutive|two) (?:user|assistant) messages\b|\bafter (?:a )?user message[^.]{0,20}\bassistant\b/i,
  },
  {
    rule: "system_first",
    words:
      /\b(?:system|developer) (?:message|role|prompt)s?\b[^.]{0,40}\b(?:beginning|first|start)\b|\bonly (?:one|a single) system message\b|\bmultiple system messages\b/i,
  },
  {
    rule: "unknown_role",
    words:
      /\b(?:unexpected|unknown|unsupported|invalid)\b[^.]{0,20}\brole\b|\b(?:system|developer) role (?:is )?not supported\b|\bonly user(?:, | and )[^.]{0,40}\broles? (?:is|are) supported\b|\bunknown variant [`'"]?developer\b/i,
  },
];

/** Which rule about roles a conversation breaks, by the words of the template or of the server; null: none. */
function readRoleRule({ status, text }: ServerWords): Extract<Refusal, { readonly type: "roles" }> | null {
  if (status !== null && status !== 400 && status !== 422 && status < 500) return null;
  const found = rules.find(({ words }) => words.test(text));
  return found === undefined ? null : { type: "roles", rule: found.rule };
}

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
function readContent({ status, text }: ServerWords): Extract<Refusal, { readonly type: "content" }> | null {
  if (status === 401 || status === 402 || status === 403 || status === 429) return null;
  const found = kinds.find(({ words }) => words.some((each) => each.test(text)));
  return found === undefined ? null : { type: "content", kind: found.kind };
}

/** The code of ours for what a server refused; null: its own code says it. */
export function nameRefusal(refusal: Refusal | null): string | null {
  if (refusal?.type === "overflow") return "context_length_exceeded";
  return refusal?.type === "content" ? "content_refused" : null;
}

/** Advice about it, as a sentence; empty: the harness handles it, or the server's words suffice. */
export function adviseOnRefusal(refusal: Refusal): string {
  if (refusal.type !== "content") return "";
  switch (refusal.kind) {
    case "image":
      return "The thread has an image, but this server accepts no images.";
    case "arguments":
      return "The thread has a tool call whose arguments are not valid JSON, and this server parses them.";
    case "template":
      return "The model's chat template cannot render this thread.";
  }
}
