import type { ResponseDeltaEvent, ResponseTerminalEvent } from "@unroll/protocol";

/** A JSON object as a server wrote it. */
export type Fields = Readonly<Record<string, unknown>>;

/** An item as a server wrote it. */
export interface WrittenItem {
  readonly value: Fields;
  /** The text that it was written in; null where that cannot be found. */
  readonly readText: () => string | null;
}

/** Which member of an item a text belongs to. */
export type PartKind = "output_text" | "refusal" | "summary_text" | "reasoning_text" | "arguments" | "input";

/**
 * One message of a server, as far as it can be read. Servers leave out ids and indexes, or change
 * them from event to event: only `type`, and the members that define the event, are certain.
 */
export type WireEvent = WireDelta | WireText | WireItem | WireEnding | WireMark | UnreadEvent;

/** More text of a part: the event itself, with `type` as a server writes it (one of `textTypes`). */
export interface WireDelta extends Fields {
  readonly type: string;
  readonly delta: string;
}

/** A part begins, mostly empty (`part.began`), or its whole text arrives once more (`part.ended`). */
export interface WireText {
  readonly type: "part.began" | "part.ended";
  readonly part: TextType;
  readonly text: string;
  readonly fields: Fields;
}

/** An item begins (`item.began`) or is whole (`item.ended`). */
export interface WireItem {
  readonly type: "item.began" | "item.ended";
  readonly item: WrittenItem;
  readonly fields: Fields;
}

/** The answer is over. `output`: the items that its last event lists; empty where it lists none. */
export interface WireEnding {
  readonly type: "ending";
  readonly terminal: ResponseTerminalEvent;
  readonly output: readonly WrittenItem[];
}

/** `[DONE]`: nothing follows. */
export interface WireMark {
  readonly type: "mark";
}

/** `what`: the event's type, or why it has none. */
interface UnreadEvent {
  readonly type: "unread";
  readonly what: string;
}

/** The item and member that a text belongs to, and our event for it; null: its item decides. */
export interface TextType {
  readonly item: "message" | "reasoning" | "function_call" | "custom_tool_call";
  readonly kind: PartKind;
  readonly told: ResponseDeltaEvent["type"] | null;
}

const outputText: TextType = { item: "message", kind: "output_text", told: "response.output_text.delta" };
const refusal: TextType = { item: "message", kind: "refusal", told: null };
const reasoningText: TextType = {
  item: "reasoning",
  kind: "reasoning_text",
  told: "response.reasoning_text.delta",
};
const summaryText: TextType = {
  item: "reasoning",
  kind: "summary_text",
  told: "response.reasoning_summary_text.delta",
};
const callArguments: TextType = {
  item: "function_call",
  kind: "arguments",
  told: "response.function_call_arguments.delta",
};
const callInput: TextType = {
  item: "custom_tool_call",
  kind: "input",
  told: "response.custom_tool_call_input.delta",
};

/** By the type of its delta. Some servers have older names for reasoning. */
export const textTypes: ReadonlyMap<unknown, TextType> = new Map<unknown, TextType>([
  [outputText.told, outputText],
  ["response.refusal.delta", refusal],
  [reasoningText.told, reasoningText],
  ["response.reasoning.delta", reasoningText],
  [summaryText.told, summaryText],
  ["response.reasoning_summary.delta", summaryText],
  [callArguments.told, callArguments],
  [callInput.told, callInput],
]);

/** By the type of a part of an item. */
export const partTypes: ReadonlyMap<unknown, TextType> = new Map(
  [outputText, refusal, reasoningText, summaryText].map((type) => [type.kind, type]),
);

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
