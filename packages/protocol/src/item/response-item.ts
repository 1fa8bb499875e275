import * as z from "zod";
import { compactionItemSchema, type CompactionItem } from "./compaction-item.ts";
import {
  customToolCallItemSchema,
  customToolCallOutputItemSchema,
  type CustomToolCallItem,
  type CustomToolCallOutputItem,
} from "./custom-tool-call-item.ts";
import {
  functionCallItemSchema,
  functionCallOutputItemSchema,
  type FunctionCallItem,
  type FunctionCallOutputItem,
} from "./function-call-item.ts";
import { messageItemSchema, type MessageItem } from "./message-item.ts";
import { reasoningItemSchema, type ReasoningItem } from "./reasoning-item.ts";
import type { UnknownItem } from "./unknown-item.ts";
import { webSearchCallItemSchema, type WebSearchCallItem } from "./web-search-call-item.ts";

/** An item whose type this version knows, in the shape of the wire (Responses API, `input[]` and `output[]`). */
export type KnownItem =
  | MessageItem
  | ReasoningItem
  | FunctionCallItem
  | FunctionCallOutputItem
  | CustomToolCallItem
  | CustomToolCallOutputItem
  | WebSearchCallItem
  | CompactionItem;

/** One entry of the transcript: what the model sees and what it says. */
export type ResponseItem = KnownItem | UnknownItem;

/** An item by which the model asks for one of our tools. Each has exactly one output in the transcript. */
export type ToolCallItem = FunctionCallItem | CustomToolCallItem;

/** The one output of a `ToolCallItem`, joined to it by `call_id`. */
export type ToolOutputItem = FunctionCallOutputItem | CustomToolCallOutputItem;

/** Loose: fields that we do not know stay on the parsed object and go back to the server. */
export const knownItemSchema: z.ZodType<KnownItem> = z.union([
  messageItemSchema,
  reasoningItemSchema,
  functionCallItemSchema,
  functionCallOutputItemSchema,
  customToolCallItemSchema,
  customToolCallOutputItemSchema,
  webSearchCallItemSchema,
  compactionItemSchema,
]);
