import { isJsonObject, type JsonObject } from "../json.ts";

/** What every state of one response has in common. */
export interface ResponseIdentity {
  readonly id: string;
  /** In ms; the wire has whole seconds. */
  readonly createdAt: number;
  /** The fields of the request, which the response repeats. */
  readonly request: JsonObject;
  /** The response that it goes on from. */
  readonly previousResponseId: string | null;
}

/** The whole response object as a server sends it, for a response that has only begun; `state` is what differs later. */
export function responseObject(
  { id, createdAt, request, previousResponseId }: ResponseIdentity,
  state: JsonObject,
): JsonObject {
  return {
    id,
    object: "response",
    created_at: Math.floor(createdAt / 1000),
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: request["instructions"] ?? null,
    max_output_tokens: request["max_output_tokens"] ?? null,
    max_tool_calls: request["max_tool_calls"] ?? null,
    model: request["model"] ?? "unroll-scripted",
    output: [],
    parallel_tool_calls: request["parallel_tool_calls"] ?? true,
    previous_response_id: previousResponseId,
    presence_penalty: request["presence_penalty"] ?? 0,
    frequency_penalty: request["frequency_penalty"] ?? 0,
    prompt_cache_key: request["prompt_cache_key"] ?? null,
    reasoning: { effort: null, summary: null, ...toObject(request["reasoning"]) },
    safety_identifier: null,
    service_tier: request["service_tier"] ?? "default",
    store: request["store"] ?? true,
    temperature: request["temperature"] ?? 1,
    text: { format: { type: "text" }, verbosity: "medium", ...toObject(request["text"]) },
    tool_choice: request["tool_choice"] ?? "auto",
    tools: listTools(request["tools"]),
    top_logprobs: request["top_logprobs"] ?? 0,
    top_p: request["top_p"] ?? 1,
    truncation: request["truncation"] ?? "disabled",
    usage: null,
    user: null,
    metadata: request["metadata"] ?? {},
    ...state,
  };
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** A function with all that a server says of it, also where the request left it to the defaults. */
function listTools(tools: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return list.map((tool) =>
    isJsonObject(tool) && tool["type"] === "function"
      ? { description: null, parameters: null, strict: true, ...tool }
      : tool,
  );
}
