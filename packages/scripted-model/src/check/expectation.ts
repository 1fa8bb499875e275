import { isJsonObject, type JsonObject } from "../json.ts";

/** Expected parts of a request. All of the given ones must be there. */
export interface Expectation {
  /** The names of the tools (for a hosted tool, its type), all and in order. */
  readonly tools?: readonly string[];
  /** Text in some string of the last input item. */
  readonly lastInputContains?: string;
  /** Texts, each in some string of some input item. */
  readonly inputContains?: readonly string[];
  /** Fields of the body; objects may have more fields than said here, arrays must be equal in length. */
  readonly body?: JsonObject;
}

/** Lists the expected parts that a body lacks. */
export function checkExpectation(expected: Expectation, body: JsonObject): readonly string[] {
  const input = Array.isArray(body["input"]) ? body["input"] : [body["input"]];
  const { tools, lastInputContains: last, inputContains: texts = [], body: fields } = expected;
  const names = toolNames(body["tools"]);
  return [
    ...(tools && !isDeepPart(tools, names) ? [`expected the tools ${tools.join(", ")}; got ${names.join(", ")}`] : []),
    ...(last !== undefined && !holdsText(input.at(-1), last)
      ? [`expected ${JSON.stringify(last)} in the last input item; got ${JSON.stringify(input.at(-1))}`]
      : []),
    ...texts.filter((text) => !holdsText(input, text)).map((text) => `expected ${JSON.stringify(text)} in the input`),
    ...Object.entries(fields ?? {})
      .filter(([key, value]) => !isDeepPart(value, body[key]))
      .map(([key, value]) => `expected ${key} to be ${JSON.stringify(value)}; got ${JSON.stringify(body[key])}`),
  ];
}

/** A tool by its name, a hosted one by its type. */
function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isJsonObject).map((tool) => String(tool["name"] ?? tool["type"]));
}

function holdsText(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => holdsText(part, text));
}

/** Whether `value` is all of `part` and perhaps has more fields. */
function isDeepPart(part: unknown, value: unknown): boolean {
  if (typeof part !== "object" || part === null) return Object.is(part, value);
  if (typeof value !== "object" || value === null || Array.isArray(part) !== Array.isArray(value)) return false;
  if (Array.isArray(part) && Array.isArray(value) && part.length !== value.length) return false;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.entries(part).every(([key, inner]) => isDeepPart(inner, fields[key]));
}
