import type { OutputItem } from "../answer/complete-item.ts";
import { type PlannedResponse, responseEvents } from "../answer/response-events.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import {
  findBeyondPlainFields,
  isEmptyRequest,
  readRequestBody,
  refuseContent,
  type RequestBody,
  listParts,
  type OutputPart,
  toMessage,
} from "./local-server.ts";

interface LmStudioGuiseOptions {
  readonly models: readonly string[];
  /** False: one that is too old. */
  readonly knowsResponses: boolean;
  /** The window of the loaded model in force, in tokens. Default 131,072. */
  readonly contextLength?: number;
  /**
   * How it answers a request beyond the window: a 400 with numbers, or an empty stream with status 200. Default
   * `refused`.
   */
  readonly overflow?: "refused" | "empty";
}

const trainedLength = 131_072;

/** LM Studio: to a path that it does not know it says so with status 200. */
export function createLmStudioGuise(options: LmStudioGuiseOptions): Guise {
  const { models, knowsResponses } = options;
  const { contextLength = trainedLength, overflow = "refused" } = options;
  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      const place = `${method} ${url}`;
      if (place === "GET /v1/models") {
        const data = models.map((id) => ({ id, object: "model", owned_by: "organization_owner" }));
        return { status: 200, body: { object: "list", data } };
      }
      if (place === "GET /api/v1/models") {
        return { status: 200, body: { models: models.map((key) => toOwnEntry(key, contextLength)) } };
      }
      if (place === "POST /v1/responses" && knowsResponses) {
        return isEmptyRequest(body) ? refuse("'model' is required") : null;
      }
      if (place === "POST /v1/chat/completions") return refuse("'messages' is required");
      return { status: 200, body: { error: `Unexpected endpoint or method. (${place})` } };
    },
    refuse(request) {
      const read = readRequestBody(request);
      const isLong = read.tokens >= contextLength;
      return refuseContent(findToolFault(read.fields) ?? (isLong ? overflows[overflow](read, contextLength) : null));
    },
    findUnsupported: findBeyondPlainFields,
    stream: streamAsLmStudio,
  };
}

function toOwnEntry(key: string, contextLength: number): object {
  const config = { context_length: contextLength };
  const capabilities = { vision: false, trained_for_tool_use: true };
  const instance = { id: key, config };
  return { type: "llm", key, max_context_length: trainedLength, loaded_instances: [instance], capabilities };
}

function findToolFault({ tools }: JsonObject): HttpTurn | null {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  const index = list.findIndex(
    (tool) => !isJsonObject(tool) || (tool["type"] !== "function" && tool["type"] !== "mcp"),
  );
  if (index === -1) return null;
  const words = "Invalid discriminator value. Expected 'function' | 'mcp'";
  return refuse(words, { param: `tools.${index}.type`, code: "invalid_union_discriminator" });
}

const overflows: Readonly<Record<"refused" | "empty", (body: RequestBody, contextLength: number) => HttpTurn>> = {
  refused: ({ tokens }, contextLength) =>
    refuse(
      `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${tokens} >= n_ctx: ${contextLength}). Try to load the model with a larger context length, or provide a shorter input.`,
    ),
  empty: () => {
    const event = { type: "response.completed", response: { id: "resp_empty", status: "completed", output: [] } };
    const body = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    return { status: 200, headers: { "content-type": "text/event-stream" }, body };
  },
};

function refuse(message: string, more: { readonly param?: string; readonly code?: string } = {}): HttpTurn {
  const { param = null, code = null } = more;
  return { status: 400, body: { error: { message, type: "invalid_request_error", param, code } } };
}

/**
 * An answer as LM Studio writes it: reasoning is content, without a summary. LM Studio is not open source, so other
 * differences are unknown.
 */
function streamAsLmStudio(response: PlannedResponse): Iterable<JsonObject | string> {
  const entries = listParts(response).map((part) => (part.type === "stray" ? part : toItem(part)));
  return responseEvents({ ...response, entries });
}

function toItem(part: Exclude<OutputPart, { readonly type: "stray" }>): OutputItem {
  switch (part.type) {
    case "reasoning": {
      const content = [{ type: "reasoning_text", text: part.text }];
      return { id: part.id, json: { id: part.id, type: "reasoning", summary: [], content, status: "completed" } };
    }
    case "message":
      return { id: part.id, json: toMessage(part.id, part.text) };
    case "call":
      return part;
  }
}
