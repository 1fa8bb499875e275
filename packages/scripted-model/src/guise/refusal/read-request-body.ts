import { toTokens } from "../../answer/estimate-usage.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { parseJson } from "../../parse-json.ts";

/** What a guise looks at in a `POST`. */
export interface RequestBody {
  readonly fields: JsonObject;
  /** The items of `input`; a text is a message of the user. */
  readonly items: readonly JsonObject[];
  /** By the rule of thumb of the scripted model's usage. */
  readonly tokens: number;
}

/** Null: the body is no JSON object. */
export function readRequestBody(body: Buffer): RequestBody | null {
  const fields = parseFields(body);
  if (fields === null) return null;
  const { input } = fields;
  const text = { type: "message", role: "user", content: input };
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [text];
  return { fields, items, tokens: toTokens(body.length) };
}

function parseFields(body: Buffer): JsonObject | null {
  try {
    const parsed = parseJson(body.toString("utf8"));
    return isJsonObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** The parts of an item's content, and of a call's output where that is a list. */
export function listContent({ content, output }: JsonObject): readonly JsonObject[] {
  return [content, output].flatMap((parts) => (Array.isArray(parts) ? parts.filter(isJsonObject) : []));
}

export function hasImages(items: readonly JsonObject[]): boolean {
  return items.some((item) => listContent(item).some(({ type }) => type === "input_image"));
}

/** Whether the arguments of a call are JSON. */
export function hasJsonArguments({ arguments: text }: JsonObject): boolean {
  try {
    parseJson(String(text));
    return true;
  } catch {
    return false;
  }
}
