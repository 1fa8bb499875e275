import type { ResponseItem } from "../item/response-item.ts";
import type { ResponseUsage } from "./response-usage.ts";

/**
 * One event of a streamed response, in the shape and under the tag of the wire (Responses API, streaming events).
 * Only fields that the harness uses are typed. Events of any other type never reach this union: the decoder skips them.
 * `output_index` is the item's number in the answer, by first appearance: servers leave out their own, or give it twice. Where
 * an item gets two `response.output_item.done`, the later one counts.
 */
export type ResponseEvent =
  | OutputItemAddedEvent
  | { readonly type: "response.output_item.done"; readonly output_index: number; readonly item: ResponseItem }
  | ResponseDeltaEvent
  | {
      readonly type: "response.reasoning_summary_part.added";
      readonly item_id: string;
      readonly output_index: number;
      readonly summary_index: number;
    }
  | ResponseTerminalEvent;

/** The server began an item; for a tool call `name` is already there, its arguments are not. */
export interface OutputItemAddedEvent {
  readonly type: "response.output_item.added";
  readonly output_index: number;
  readonly item: { readonly type: string; readonly id?: string | undefined; readonly name?: string | undefined };
}

/** A piece of text that extends the item at `output_index`. */
export interface ResponseDeltaEvent {
  readonly type:
    | "response.output_text.delta"
    | "response.reasoning_summary_text.delta"
    | "response.reasoning_text.delta"
    | "response.function_call_arguments.delta"
    | "response.custom_tool_call_input.delta";
  readonly item_id: string;
  readonly output_index: number;
  readonly delta: string;
}

/** After one of these nothing of the response follows, whether or not the connection stays open. */
export type ResponseTerminalEvent =
  | {
      readonly type: "response.completed";
      readonly response: { readonly id: string; readonly usage?: ResponseUsage | null | undefined };
    }
  | {
      readonly type: "response.failed";
      readonly response: {
        readonly id: string;
        readonly error?: { readonly code: string; readonly message: string } | null | undefined;
      };
    }
  | {
      readonly type: "response.incomplete";
      readonly response: {
        readonly id: string;
        readonly incomplete_details?: { readonly reason?: string | undefined } | null | undefined;
        readonly usage?: ResponseUsage | null | undefined;
      };
    }
  | { readonly type: "error"; readonly code?: string | null | undefined; readonly message: string };
