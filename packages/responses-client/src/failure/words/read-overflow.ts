import type { Refusal } from "@unroll/protocol";
import type { ServerWords } from "./server-words.ts";

/** Codes and types, as OpenAI, llama.cpp, Copilot, GitHub Models, Anthropic and others have them. */
const codes =
  /\b(context_length_exceeded|context_window_exceeded|context_exceeded|exceed_context_size_error|max_context_length_exceeded|model_max_prompt_tokens_exceeded|tokens_limit_reached|prompt_too_long|input_too_long|request_too_large)\b/i;

const window = String.raw`context (?:length|window|size)|n_ctx\w*|max_model_len|max_prompt_tokens|(?:model )?token limit|(?:maximum|max) (?:prompt|model|input|sequence)\w* (?:sequence )?length|limit of \d+`;
const isMore = String.raw`exceed\w*|longer than|greater than|larger than|too (?:long|large|big)|overflow\w*|>=?|is not enough|does(?: not|n't) fit`;

/** Phrases of servers: something exceeds a window, or a prompt is too long. */
const sentences: readonly RegExp[] = [
  new RegExp(`(?:${isMore})[^.]{0,80}(?:${window})`, "i"),
  new RegExp(`(?:${window})[^.]{0,80}(?:${isMore})`, "i"),
  new RegExp(`(?:maximum|max\\w*) (?:context|prompt|input) length\\b[^]{0,60}\\d`, "i"),
  /\b(?:prompt|input|request|conversation|messages?)\b[^.]{0,40}\btoo (?:long|large|big|many tokens)\b/i,
  /\b(?:prompt|input)\b[^.]{0,40}\btoken(?: count)?s?\b[^.]{0,30}\bexceeds?\b/i,
  /\bcontext the overflows\b|\bcontext overflow\b|\bmid-generation context\b/i,
  /\bn_keep\b[^]{0,40}>=?\s*n_ctx\b/i,
  /\btokens\b[^.]{0,30}\bmust be (?:<=|less than\b|at most\b)[^]{0,80}\bgiven\b/i,
  /\b(?:prompt|input|request)\b[^.]{0,20}\d+ tokens\b[^.]{0,40}\b(?:context (?:length|window|size)|maximum)\b[^.]{0,40}\d/i,
  /\breduce the length of (?:the|your) (?:messages|prompt|input)\b/i,
  /\brequest (?:entity|body) too large\b|\bpayload too large\b/i,
];

/** Where such words mean something else: who asks, what is paid, where it goes. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404]);
/** A limit by the minute; only a request that is larger than all of it never gets through. */
const ofTime = /\b(?:per (?:minute|min|day|hour|second)|TPM|RPM|rate.?limit)/i;
/** Limits of the response, which our requests never set. */
const ofAnswer = /\bmax_(?:output_|completion_)?tokens\b[^.]{0,40}\b(?:too large|at most|must be)/i;

/** Whether a server says that a request is longer than its context window, and what it says of both. */
export function readOverflow(words: ServerWords): Extract<Refusal, { readonly type: "overflow" }> | null {
  const { status, text, code } = words;
  if (status !== null && otherStatuses.has(status)) return null;
  const isTooLong = status === 413 || codes.test(code ?? "") || codes.test(text) || isSaid(text);
  if (!isTooLong) return null;
  const contextWindow = readWindow(words);
  const requestTokens = readRequest(words, contextWindow);
  if (ofTime.test(text) && (contextWindow === null || requestTokens === null)) return null;
  return { type: "overflow", contextWindow, requestTokens };
}

function isSaid(text: string): boolean {
  return !ofAnswer.test(text) && sentences.some((sentence) => sentence.test(text));
}

/** Smaller numbers are not a window, and larger ones are an id or a time. */
const [fewestTokens, mostTokens] = [256, 100_000_000];
const number = String.raw`(\d{1,3}(?:[, ]\d{3})+|\d+)`;

/** By the words in front of the number, or behind it; the most telling first. */
const windows: readonly RegExp[] = [
  new RegExp(String.raw`\bn_ctx(?:_\w+)?["')]*\s*(?:[:=]|is)?\s*\(?${number}`, "i"),
  new RegExp(String.raw`\bmax_model_len\b\D{0,6}${number}`, "i"),
  new RegExp(String.raw`context (?:length|window|size)(?: of)?(?: only)?[^\d.]{0,12}${number}`, "i"),
  new RegExp(String.raw`${number} (?:is )?(?:the )?maximum (?:context|prompt) length`, "i"),
  new RegExp(String.raw`(?:maximum|max\w*)[^\d.]{0,60}?${number}`, "i"),
  new RegExp(String.raw`>=?\s*${number}`),
  new RegExp(String.raw`\blimit(?:ed to| of| is|:)?\s*${number}`, "i"),
  new RegExp(String.raw`(?:must be <=|less than|at most)\s*${number}`, "i"),
];
const windowNames = ["n_ctx", "n_ctx_slot", "max_model_len", "context_length", "max_context_length"];
const requestNames = ["n_prompt_tokens", "prompt_tokens", "input_tokens"];

function readWindow({ text, numbers }: ServerWords): number | null {
  const given = pick(numbers, windowNames);
  if (given !== null) return given;
  const amounts = text.replaceAll(/\bby \d+/g, ""); // how much too long it is
  for (const pattern of windows) {
    const found = toTokens(pattern.exec(amounts)?.[1]);
    if (found !== null) return found;
  }
  return null;
}

/** The first number that it names which is larger than the window, as a request that does not fit is. */
function readRequest({ text, numbers }: ServerWords, contextWindow: number | null): number | null {
  const given = pick(numbers, requestNames);
  if (given !== null || contextWindow === null) return given;
  const all = Array.from(text.matchAll(new RegExp(number, "g")), ([, digits]) => toTokens(digits) ?? 0);
  return all.find((tokens) => tokens > contextWindow && tokens < 100 * contextWindow) ?? null;
}

function pick(numbers: ServerWords["numbers"], names: readonly string[]): number | null {
  const found = names.find((name) => isPlausible(numbers[name] ?? 0));
  return found === undefined ? null : (numbers[found] ?? null);
}

function toTokens(digits: string | undefined): number | null {
  const tokens = Number((digits ?? "").replaceAll(/[, ]/g, ""));
  return isPlausible(tokens) ? tokens : null;
}

function isPlausible(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= fewestTokens && tokens <= mostTokens;
}
