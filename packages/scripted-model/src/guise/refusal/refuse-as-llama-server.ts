import type { JsonObject } from "../../json.ts";
import type { HttpTurn } from "../../script/turn.ts";
import { findTemplateFault, type TemplateRule } from "./find-template-fault.ts";
import { hasImages, hasJsonArguments, listContent, type RequestBody } from "./read-request-body.ts";

export interface LlamaServerLimits {
  /** The window in force, in tokens. */
  readonly contextLength: number;
  readonly template: TemplateRule;
  readonly takesImages: boolean;
}

/** The answer of `llama-server` 0.7.0 to a request that it does not take; null: it takes it. */
export function refuseAsLlamaServer(body: RequestBody, limits: LlamaServerLimits): HttpTurn | null {
  const { fields, items, tokens } = body;
  if (fields["previous_response_id"]) return invalid("llama.cpp does not support 'previous_response_id'.");
  const fault = items.map(findItemFault).find((found) => found !== null);
  if (fault !== undefined) return invalid(fault);
  if (!limits.takesImages && hasImages(items)) return broken(noImages);
  const cut = items.find((item) => item["type"] === "function_call" && !hasJsonArguments(item));
  if (cut !== undefined) return broken(describeCut(String(cut["arguments"])));
  const templateFault = findTemplateFault(limits.template, body);
  if (templateFault !== null) return invalid(`${templateWords}\nError: Jinja Exception: ${templateFault}`);
  return tokens < limits.contextLength ? null : overflow(tokens, limits.contextLength);
}

const noImages = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";
const templateWords =
  "Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 22, column 77 in source:";

function findItemFault(item: JsonObject): string | null {
  const { type, role, content, summary } = item;
  if (type === "function_call" || type === "function_call_output") {
    return typeof item["call_id"] === "string" ? null : "Cannot determine type of 'item'";
  }
  if (type === "reasoning" && Array.isArray(summary)) {
    if (!Array.isArray(content)) return "item['content'] is not an array";
    return content.length === 0 ? "item['content'] is empty" : null;
  }
  const isOurs = role === "user" || role === "system" || role === "developer";
  if (!isOurs && !(role === "assistant" && type === "message")) return "Cannot determine type of 'item'";
  return listContent(item).some((part) => part["type"] === "input_file")
    ? "'input_file' is not supported by llamacpp at this moment"
    : null;
}

function describeCut(text: string): string {
  const place =
    text === ""
      ? "parse error at line 1, column 1: attempting to parse an empty input"
      : `parse error at line 1, column ${text.length + 1}: syntax error while parsing value`;
  return `Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] ${place}`;
}

function invalid(message: string): HttpTurn {
  return { status: 400, body: { error: { code: 400, message, type: "invalid_request_error" } } };
}

function broken(message: string): HttpTurn {
  return { status: 500, body: { error: { code: 500, message, type: "server_error" } } };
}

function overflow(tokens: number, contextLength: number): HttpTurn {
  const message = `request (${tokens} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`;
  const numbers = { n_prompt_tokens: tokens, n_ctx: contextLength };
  return { status: 400, body: { error: { code: 400, message, type: "exceed_context_size_error", ...numbers } } };
}
