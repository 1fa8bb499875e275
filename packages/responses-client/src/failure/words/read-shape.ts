import type { Refusal } from "@unroll/protocol";
import type { ServerWords } from "./server-words.ts";

type Shape = Extract<Refusal, { readonly type: "member" | "item" | "tool" }>;

const quote = "[\"'`]";
const name = String.raw`${quote}?([\w.[\]-]+)${quote}?`;

/** By the type that they name; without one, the server says only that it is none it knows. */
const items: readonly RegExp[] = [
  new RegExp(String.raw`\bunknown (?:input )?item type:? ${name}`, "i"),
  new RegExp(String.raw`\bunknown variant ${quote}(\w+(?:_call|_output|_reference)|reasoning|compaction)${quote}`, "i"),
  /\bCannot determine type of 'item'/i,
  /\bitem\['content'\]/,
];
const tools: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:unsupported|unknown|invalid) tool type:? ${name}`, "i"),
  new RegExp(String.raw`\btools?(?: of)?(?: type)? ${quote}(\w+)${quote} (?:is|are) not (?:supported|allowed)`, "i"),
  new RegExp(
    String.raw`\bunknown variant ${quote}(custom|namespace|web_search\w*|local_shell|tool_search)${quote}`,
    "i",
  ),
  /\btype\b[^.]{0,12}\btool\b[^.]{0,12}\bmust be\b[^.]{0,4}function/i,
  /\bdoes not support (?:tools|function calling)\b/i,
];
/** The group is what is refused. */
const members: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:unknown|unsupported|unrecognized|unexpected) (?:param|value|field|argument|member|key)\w*(?:: ${name}| ${quote}([\w.[\]-]+)${quote})`,
    "i",
  ),
  new RegExp(String.raw`\bunrecognized request arguments? supplied:? ${name}`, "i"),
  new RegExp(String.raw`\bunknown field ${name}`, "i"),
  new RegExp(String.raw`\bproperty ${name} is (?:unsupported|not supported)`, "i"),
  new RegExp(String.raw`\bAdditional properties are not allowed \(${name}`, "i"),
  new RegExp(String.raw`\b(?:parameter|field|argument) ${name} is not (?:supported|allowed|permitted)`, "i"),
];
/** As `transformers serve` lists them. */
const unexpectedKeys = /\bunexpected keys\b[^{]{0,40}\{([^}]*)\}/i;
/** The same in a sentence that does not name the member. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/\bencrypted content is not supported\b/i, "include"],
  [/\bverified to generate reasoning summaries\b/i, "reasoning.summary"],
  [/\bdoes not support (?:thinking|reasoning)\b/i, "reasoning.effort"],
];

/** They are answered otherwise: another model, or without what the server can no longer read. */
const otherCodes: ReadonlySet<string> = new Set(["invalid_encrypted_content", "model_not_found"]);

/** Which member, item or tool of the request a server does not take; null: its words name none. */
export function readShape(words: ServerWords): Shape | null {
  const { status, text, code } = words;
  if ((status !== null && status !== 400 && status !== 422) || otherCodes.has(code ?? "")) return null;
  const given = [...words.params, ...listPlaces(text)].flatMap((param) => toPath(param) ?? []);
  const paths = (given.length > 0 ? given : readSentence(text)).filter((path) => path !== "model");
  const item = findFirst(items, text);
  const inInput = paths.find((path) => isBelow(path, "input")) ?? null;
  if (item !== null) return { type: "item", itemType: item.name, path: inInput };
  const tool = findFirst(tools, text);
  if (tool !== null) return { type: "tool", toolType: tool.name };
  const own = paths.filter((path) => !isBelow(path, "input") && !isBelow(path, "tools"));
  if (own.length > 0) return { type: "member", paths: own };
  if (inInput !== null) return { type: "item", itemType: null, path: inInput };
  return paths.length > 0 ? { type: "tool", toolType: null } : null;
}

function isBelow(path: string, member: string): boolean {
  return path === member || path.startsWith(`${member}.`);
}

function readSentence(text: string): readonly string[] {
  const keys = unexpectedKeys.exec(text)?.[1] ?? "";
  const listed = Array.from(keys.matchAll(/[\w.]+/g), ([key]) => key);
  const named = toPath(findFirst(members, text)?.name ?? "");
  if (listed.length > 0 || named !== null) return named === null ? listed : [named];
  return sentences.flatMap(([sentence, path]) => (sentence.test(text) ? [path] : []));
}

/** As pydantic writes places in a message: `'loc': ('body', 'input', 'list[union[…]]', 0)`. */
const place = /'loc': \(((?:\s*(?:'[^']*'|\d+),?)+)\)/g;

function listPlaces(text: string): readonly string[] {
  return Array.from(text.matchAll(place), ([, parts = ""]) =>
    Array.from(parts.matchAll(/'([^']*)'|(\d+)/g), ([, name, index]) => (name ?? index ?? "").replace(/\W.*$/, ""))
      .filter((part) => part !== "")
      .join("."),
  );
}

function findFirst(patterns: readonly RegExp[], text: string): { readonly name: string | null } | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return { name: match[1] ?? match[2] ?? null };
  }
  return null;
}

const longestPath = 120;

/** `input[3].phase` and `body.input.3.phase` are the same place. Null: it is not a path. */
function toPath(named: string): string | null {
  const path = named
    .replaceAll(/\[(\w+)\]/g, ".$1")
    .replace(/^body\./, "")
    .replace(/\.$/, "");
  return /^\w[\w-]*(\.[\w-]+)*$/.test(path) && path.length <= longestPath ? path : null;
}
