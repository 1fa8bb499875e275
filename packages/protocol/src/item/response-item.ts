import type { ContentPart } from "./content-part.ts";

/**
 * One entry of the transcript, in the shape of the wire (Responses API, `input[]` and `output[]`): what the model sees
 * and what it says. Fields beyond these that a server sends are kept and sent back.
 */
export type ResponseItem = KnownItem | UnknownItem;

/** An item whose type this version knows. */
export type KnownItem =
  | MessageItem
  | ReasoningItem
  | ToolCallItem
  | ToolOutputItem
  | WebSearchCallItem
  /** A thread that the server compacted; only it can read `encrypted_content`. */
  | { readonly type: "compaction"; readonly encrypted_content: string; readonly id?: string };

/** An item by which the model asks for one of our tools. Each has exactly one output in the transcript. */
export type ToolCallItem = FunctionCallItem | CustomToolCallItem;

/** The one output of a `ToolCallItem`, joined to it by `call_id`: text, or content parts where it holds images. */
export type ToolOutputItem =
  | ({ readonly type: "function_call_output" } & CallOutput)
  | ({ readonly type: "custom_tool_call_output" } & CallOutput);

interface CallOutput {
  readonly call_id: string;
  readonly output: string | readonly ContentPart[];
  readonly [onlyWaited]?: true;
}

/** Under this an output says that its call only waited for a command, which is still running. It is never sent or saved. */
export const onlyWaited: unique symbol = Symbol("onlyWaited");

/**
 * The author of an item. `user`: you; `parts` are the places of your words and images in its
 * content, and the text between them is the program's. With `from`, the
 * thread that started this one as a sub-agent wrote it in your place. `tool`: the output of a call. `harness`:
 * `fragment` names which of its texts it is, such as `environment` or `skill`.
 */
export type ItemAuthor =
  | { readonly type: "user"; readonly parts: readonly number[]; readonly from?: "agent" }
  | { readonly type: "model" }
  | { readonly type: "tool" }
  | { readonly type: "harness"; readonly fragment: string };

/** Under this a message says who wrote it, where its role does not. It is never sent; journals keep it beside the item. */
export const itemAuthor: unique symbol = Symbol("itemAuthor");

/** A message of any role. */
export interface MessageItem {
  readonly type: "message";
  readonly role: "user" | "assistant" | "developer" | "system";
  readonly content: readonly ContentPart[];
  readonly id?: string;
  readonly [itemAuthor]?: ItemAuthor;
}

/** The model's reasoning. With `store: false` the server needs `encrypted_content` back, byte for byte. */
export interface ReasoningItem {
  readonly type: "reasoning";
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
  readonly content?: readonly { readonly type: "reasoning_text"; readonly text: string }[] | null;
  readonly encrypted_content?: string | null;
  readonly id?: string;
}

/**
 * Under this a call says why it cannot be run: it came broken, or as a call of another kind, and was made one that a server takes
 * back with an output. No server sends it, and none is sent it.
 */
export const callFault: unique symbol = Symbol("callFault");

/** The model asks for a function tool; `arguments` is JSON text as the model wrote it, perhaps invalid. */
export interface FunctionCallItem {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly id?: string;
  readonly [callFault]?: string;
}

/** The model asks for a custom (freeform) tool; `input` is its text, shaped by the tool's grammar. */
export interface CustomToolCallItem {
  readonly type: "custom_tool_call";
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
  readonly id?: string;
  readonly [callFault]?: string;
}

/** A search that the provider ran itself; `action` says what (search, open a page, find in a page). */
export interface WebSearchCallItem {
  readonly type: "web_search_call";
  readonly status?: string;
  readonly action?: {
    readonly type: string;
    readonly query?: string | undefined;
    readonly url?: string | null | undefined;
  };
  readonly id?: string;
}

/**
 * An item of a type, or with a part, that this version does not know. It is sent back as exactly the bytes that came.
 * `unknown` is our tag, never on the wire: `itemType` is the wire's.
 */
export interface UnknownItem {
  readonly type: "unknown";
  readonly itemType: string;
  /** The item's JSON text, byte for byte as received. */
  readonly json: string;
}
