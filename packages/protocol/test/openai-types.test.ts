import type {
  ContentPart,
  CustomToolCallItem,
  FunctionCallItem,
  KnownItem,
  MessageItem,
  OutputItemAddedEvent,
  ReasoningItem,
  ResponseDeltaEvent,
  ResponseEvent,
  ResponseTerminalEvent,
  ResponseUsage,
  ToolSpec,
  WebSearchCallItem,
} from "@unroll/protocol";
import type { Responses } from "openai/resources/responses/responses";
import { expectTypeOf, test } from "vitest";

// Checked by `tsc`; at run time these tests do nothing.

type WireItem<Tag extends string> = Extract<Responses.ResponseOutputItem, { type: Tag }>;
type WireEvent<Tag extends string> = Extract<Responses.ResponseStreamEvent, { type: Tag }>;
type OurEvent<Tag extends string> = Extract<ResponseEvent, { type: Tag }>;

/** `openai` declares its arrays mutable. */
type Writable<T> = T extends object ? { -readonly [Key in keyof T]: Writable<T[Key]> } : T;

/** `T` as the harness fills it: some fields narrower than the type allows. */
type Filled<T, Fields extends Partial<T>> = Omit<T, keyof Fields> & Fields;

/**
 * The parts that the harness itself puts into messages and outputs. `detail` may be absent on the wire; `openai` has it
 * required.
 */
type InputPart =
  | Extract<ContentPart, { readonly type: "input_text" }>
  | (Extract<ContentPart, { readonly type: "input_image" }> & { readonly detail: "auto" });
type OurItem<Tag extends KnownItem["type"]> = Extract<KnownItem, { type: Tag }>;

test("every item as a server sends it is an item of ours", () => {
  expectTypeOf<WireItem<"message">>().toExtend<MessageItem>();
  expectTypeOf<WireItem<"reasoning">>().toExtend<ReasoningItem>();
  expectTypeOf<WireItem<"function_call">>().toExtend<FunctionCallItem>();
  expectTypeOf<WireItem<"custom_tool_call">>().toExtend<CustomToolCallItem>();
  expectTypeOf<WireItem<"web_search_call">>().toExtend<WebSearchCallItem>();
  expectTypeOf<WireItem<"compaction">>().toExtend<OurItem<"compaction">>();
});

test("every tag of ours is one of the wire", () => {
  expectTypeOf<KnownItem["type"]>().toExtend<Responses.ResponseOutputItem["type"]>();
  expectTypeOf<ResponseEvent["type"]>().toExtend<Responses.ResponseStreamEvent["type"]>();
  expectTypeOf<ToolSpec["type"]>().toExtend<Responses.Tool["type"]>();
});

test("what the harness sends is input that the API takes", () => {
  type OwnMessage = Filled<
    MessageItem,
    { readonly role: "user" | "developer"; readonly content: readonly InputPart[] }
  >;
  expectTypeOf<Writable<OwnMessage>>().toExtend<Responses.ResponseInputItem>();
  expectTypeOf<Writable<FunctionCallItem>>().toExtend<Responses.ResponseInputItem>();
  expectTypeOf<Writable<CustomToolCallItem>>().toExtend<Responses.ResponseInputItem>();
  expectTypeOf<Writable<OurItem<"compaction">>>().toExtend<Responses.ResponseInputItem>();
});

test("an output of ours is input that the API takes", () => {
  type Output = { readonly output: string | readonly InputPart[] };
  expectTypeOf<Writable<Filled<OurItem<"function_call_output">, Output>>>().toExtend<Responses.ResponseInputItem>();
  expectTypeOf<Writable<Filled<OurItem<"custom_tool_call_output">, Output>>>().toExtend<Responses.ResponseInputItem>();
});

test("reasoning goes back as it came", () => {
  type Content = NonNullable<ReasoningItem["content"]>;
  type Returned = Filled<ReasoningItem, { readonly id: string; readonly content: Content }>;
  expectTypeOf<Writable<Returned>>().toExtend<Responses.ResponseInputItem>();
});

test("every event as a server sends it is an event of ours", () => {
  expectTypeOf<WireEvent<"response.output_item.added">>().toExtend<OutputItemAddedEvent>();
  expectTypeOf<WireEvent<ResponseDeltaEvent["type"]>>().toExtend<ResponseDeltaEvent>();
  expectTypeOf<WireEvent<"response.reasoning_summary_part.added">>().toExtend<
    OurEvent<"response.reasoning_summary_part.added">
  >();
  expectTypeOf<WireEvent<ResponseTerminalEvent["type"]>>().toExtend<ResponseTerminalEvent>();
});

test("a finished item's event is ours, its item aside, which the decoder makes one", () => {
  type Done = WireEvent<"response.output_item.done">;
  expectTypeOf<Omit<Done, "item">>().toExtend<Omit<OurEvent<"response.output_item.done">, "item">>();
  expectTypeOf<Done["item"]>().toEqualTypeOf<Responses.ResponseOutputItem>();
});

test("the usage of a response is ours", () => {
  expectTypeOf<Responses.ResponseUsage>().toExtend<ResponseUsage>();
});

test("every tool of ours is a tool of the API", () => {
  expectTypeOf<Writable<ToolSpec>>().toExtend<Responses.Tool>();
});
