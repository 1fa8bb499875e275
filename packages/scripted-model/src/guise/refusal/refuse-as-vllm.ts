import { isJsonObject, type JsonObject } from "../../json.ts";
import type { HttpTurn } from "../../script/turn.ts";
import { findTemplateFault, type TemplateRule } from "./find-template-fault.ts";
import type { RequestBody } from "./read-request-body.ts";

export interface VllmLimits {
  readonly models: readonly string[];
  /** Its `max_model_len`, in tokens. */
  readonly contextLength: number;
  readonly template: TemplateRule;
  /** gpt-oss, which has a way of its own. */
  readonly isHarmony: boolean;
}

const itemTypes: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output", "reasoning"]);
const toolTypes: ReadonlySet<unknown> = new Set([
  "function",
  "custom",
  "mcp",
  "web_search_preview",
  "code_interpreter",
]);
const efforts: ReadonlySet<unknown> = new Set(["none", "minimal", "low", "medium", "high", "xhigh"]);

/** The answer of vLLM to a request that it does not take; null: it takes it. */
export function refuseAsVllm(body: RequestBody, limits: VllmLimits): HttpTurn | null {
  const { fields, items, tokens } = body;
  const { model, reasoning, tools } = fields;
  const asked = String(model);
  if (!limits.models.includes(asked)) {
    return toVllmError(404, `The model \`${asked}\` does not exist.`, { type: "NotFoundError", param: "model" });
  }
  const itemFaults = items.map((item, index) => findItemFault(item, index));
  const toolFaults = Array.isArray(tools) ? tools.map(findToolFault) : [];
  const effort = isJsonObject(reasoning) ? (reasoning["effort"] ?? "none") : "none";
  const effortFault = efforts.has(effort) ? null : union("reasoning.effort");
  const fault = [...itemFaults, ...toolFaults, effortFault].find((found) => found !== null);
  if (fault !== undefined) return toVllmError(400, fault);
  const template = limits.isHarmony ? null : findTemplateFault(limits.template, body);
  if (template !== null) return toVllmError(400, template);
  if (tokens < limits.contextLength) return null;
  const message = `The engine prompt length ${tokens} exceeds the max_model_len ${limits.contextLength}. Please reduce prompt.`;
  return toVllmError(400, message, { type: "invalid_request_error", param: "input" });
}

/** `code` is the status, as a number. */
export function toVllmError(
  status: number,
  message: string,
  { type = "BadRequestError", param = null }: { readonly type?: string; readonly param?: string | null } = {},
): HttpTurn {
  return { status, body: { error: { message, type, param, code: status } } };
}

function findItemFault({ type = "message", role, status, encrypted_content: encrypted }: JsonObject, index: number) {
  if (!itemTypes.has(type)) return union(`input.list.${index}.type`);
  if (type === "message" && role === "assistant" && status === undefined) return union(`input.list.${index}.status`);
  return encrypted ? "Encrypted content is not supported." : null;
}

function findToolFault(tool: unknown, index: number): string | null {
  return isJsonObject(tool) && toolTypes.has(tool["type"]) ? null : union(`tools.${index}.type`);
}

function union(place: string): string {
  return `1 validation error: {'type': 'literal_error', 'loc': ('body', '${place.split(".").join("', '")}')}`;
}
