import type { OutputItem } from "../../answer/complete-item.ts";
import { type PlannedResponse, responseEvents } from "../../answer/response-events.ts";
import type { JsonObject } from "../../json.ts";
import { listParts, type OutputPart } from "./list-parts.ts";
import { toMessage } from "./to-message.ts";

/** An answer as LM Studio writes it: reasoning is content, with no summary. What else differs is not known: it is not open. */
export function streamAsLmStudio(response: PlannedResponse): Iterable<JsonObject | string> {
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
