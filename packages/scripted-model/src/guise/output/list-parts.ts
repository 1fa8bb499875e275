import type { PlannedResponse } from "../../answer/response-events.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";

/** A piece of what a model on a local server can say: reasoning, text and function calls, and nothing else. */
export type OutputPart =
  | { readonly type: "reasoning"; readonly id: string; readonly text: string }
  | { readonly type: "message"; readonly id: string; readonly text: string }
  /** `json`: a `function_call` item. A call that is broken on purpose may hold anything. */
  | { readonly type: "call"; readonly id: string; readonly json: JsonObject }
  | { readonly type: "stray"; readonly event: JsonObject | string };

/** The output of a response in the order in which the model said it. A freeform call becomes one of a function; items of other types are left out. */
export function listParts({ entries }: PlannedResponse): readonly OutputPart[] {
  return entries.flatMap((entry): readonly OutputPart[] => {
    if ("event" in entry) return [{ type: "stray", event: entry.event }];
    const { id, json } = entry;
    switch (json["type"]) {
      case "reasoning":
        return [{ type: "reasoning", id, text: readText(json["summary"]) + readText(json["content"]) }];
      case "message":
        return [{ type: "message", id, text: readText(json["content"]) }];
      case "function_call":
        return [{ type: "call", id, json }];
      case "custom_tool_call": {
        const { input, ...call } = json;
        return [{ type: "call", id, json: { ...call, type: "function_call", arguments: JSON.stringify({ input }) } }];
      }
      default:
        return [];
    }
  });
}

function readText(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  const texts = parts.filter(isJsonObject).flatMap(({ text, refusal }) => [text, refusal]);
  return texts.filter((text) => typeof text === "string").join("");
}
