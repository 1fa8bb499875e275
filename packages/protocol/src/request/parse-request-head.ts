import { isFields, type JsonFields, parseFields } from "../json-fields.ts";
import type { ToolSpec } from "./tool-spec.ts";

/**
 * The beginning of every request of a thread, up to its input: its bytes, and their content. Parsed
 * once, when it is made or loaded.
 */
export interface RequestHead {
  /** As they are sent. Nothing encodes them again. */
  readonly bytes: Uint8Array;
  /** The members of the request in their order, without `input`. */
  readonly fields: JsonFields;
  /** Empty: the request names none. */
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly HeadTool[];
}

/** A tool as a request lists it. */
export interface HeadTool {
  /** Its type, if it has no name (`web_search`). */
  readonly name: string;
  readonly type: string;
  /** As the request has it, unchecked. */
  readonly spec: ToolSpec;
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/** The last heads, by their text: of hundreds of threads that open one after the other, many have the same, of over 10 KiB. */
const lastHeads = new Map<string, RequestHead>();
/** A thread that opens makes two: without and with its key of the provider's cache. */
const mostHeads = 4;

/**
 * The only parser of request heads. `bytes` are the JSON of a request up to the items of its input:
 * `{…,"input":[`. Null for anything else: a thread whose head is damaged cannot continue byte for
 * byte, and loading it reports that.
 */
export function parseRequestHead(bytes: Uint8Array): RequestHead | null {
  const text = decodeHead(bytes);
  if (text === null) return null;
  const known = lastHeads.get(text);
  if (known !== undefined) return known;
  const request = parseFields(`${text}]}`);
  if (request === null || Object.keys(request).at(-1) !== "input" || !isEmptyList(request["input"])) return null;
  const { input: _, ...fields } = request;
  return keep(text, nameParts(bytes, fields));
}

function keep(text: string, head: RequestHead): RequestHead {
  const [oldest] = lastHeads.keys();
  if (oldest !== undefined && lastHeads.size === mostHeads) lastHeads.delete(oldest);
  lastHeads.set(text, head);
  return head;
}

function nameParts(bytes: Uint8Array, fields: JsonFields): RequestHead {
  const { model, instructions, tools } = fields;
  const listed = Array.isArray(tools) ? tools.filter(isFields) : [];
  return {
    bytes,
    fields,
    model: typeof model === "string" ? model : "",
    instructions: typeof instructions === "string" ? instructions : "",
    tools: listed.map(toHeadTool),
  };
}

function toHeadTool(spec: JsonFields): HeadTool {
  const { name, type } = spec;
  return { name: String(name ?? type), type: String(type), spec: spec as unknown as ToolSpec };
}

/**
 * The head of requests with these members, in this order. It keeps them: threads that begin alike share the texts of their tools.
 */
export function toRequestHead(fields: JsonFields): RequestHead {
  const text = JSON.stringify({ ...fields, input: [] }).slice(0, -2);
  return lastHeads.get(text) ?? keep(text, nameParts(encoder.encode(text), fields));
}

/** Null: the bytes are not UTF-8. */
function decodeHead(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
