import { isJsonObject, type JsonObject } from "../../json.ts";
import type { HttpTurn } from "../../script/turn.ts";
import { hasImages, hasJsonArguments, listContent, type RequestBody } from "./read-request-body.ts";

export interface OllamaLimits {
  readonly models: ReadonlySet<string>;
  /** What `/api/show` says that its models can: `tools`, `vision`, `thinking`. */
  readonly capabilities: readonly string[];
}

const itemTypes: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output", "reasoning"]);
const partTypes: ReadonlySet<unknown> = new Set(["input_text", "output_text", "input_image", "input_file"]);
const efforts: ReadonlySet<unknown> = new Set(["none", "low", "medium", "high", "max"]);

/** The answer of Ollama to a request that it does not take; null: it takes it. */
export function refuseAsOllama({ fields, items }: RequestBody, limits: OllamaLimits): HttpTurn | null {
  const model = String(fields["model"]);
  const fault = findFault(fields, items) ?? findLack(fields, items, limits.capabilities);
  if (fault !== null) return toOllamaError(400, fault.replace("MODEL", model));
  return limits.models.has(model) ? null : toOllamaError(404, `model '${model}' not found`);
}

export function toOllamaError(status: number, message: string): HttpTurn {
  const type = status === 404 ? "not_found_error" : "invalid_request_error";
  return { status, body: { error: { message, type, param: null, code: null } } };
}

function findFault({ reasoning }: JsonObject, items: readonly JsonObject[]): string | null {
  const faults = items.map((item, index) => findItemFault(item, index));
  const found = faults.find((fault) => fault !== null);
  if (found !== undefined) return found;
  const effort = isJsonObject(reasoning) ? (reasoning["effort"] ?? "none") : "none";
  if (efforts.has(effort)) return null;
  return `invalid reasoning value: ${JSON.stringify(effort)} (must be "high", "medium", "low", "max", or "none")`;
}

function findItemFault(item: JsonObject, index: number): string | null {
  const { type = "message" } = item;
  if (!itemTypes.has(type)) return `input[${index}]: unknown input item type: ${JSON.stringify(type)}`;
  const parts = listContent(item);
  const unknown = parts.findIndex((part) => !partTypes.has(part["type"]));
  if (unknown !== -1 && type !== "reasoning") {
    return `input[${index}]: content[${unknown}]: unknown content type: ${String(parts[unknown]?.["type"])}`;
  }
  if (parts.some((part) => part["type"] === "input_file")) return "file inputs are not currently supported";
  const isCut = type === "function_call" && item["arguments"] !== "" && !hasJsonArguments(item);
  return isCut ? "failed to parse function call arguments: unexpected end of JSON input" : null;
}

function findLack(
  { tools, reasoning }: JsonObject,
  items: readonly JsonObject[],
  capabilities: readonly string[],
): string | null {
  const wishes = {
    tools: Array.isArray(tools) && tools.length > 0,
    thinking: isJsonObject(reasoning) && ![undefined, null, "none"].some((none) => none === reasoning["effort"]),
    vision: hasImages(items),
  };
  const lack = Object.entries(wishes).find(([name, isWished]) => isWished && !capabilities.includes(name));
  return lack === undefined ? null : `"MODEL" does not support ${lack[0]}`;
}
