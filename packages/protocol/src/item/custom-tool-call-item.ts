import * as z from "zod";
import { contentPartSchema, type ContentPart } from "./content-part.ts";

/** The model asks for a custom (freeform) tool; `input` is its text, shaped by the tool's grammar. */
export interface CustomToolCallItem {
  readonly type: "custom_tool_call";
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
  readonly id?: string;
}
/** What the custom tool gave back. */
export interface CustomToolCallOutputItem {
  readonly type: "custom_tool_call_output";
  readonly call_id: string;
  readonly output: string | readonly ContentPart[];
}

export const customToolCallItemSchema: z.ZodType<CustomToolCallItem> = z.looseObject({
  type: z.literal("custom_tool_call"),
  call_id: z.string(),
  name: z.string(),
  input: z.string(),
  id: z.string().exactOptional(),
});

export const customToolCallOutputItemSchema: z.ZodType<CustomToolCallOutputItem> = z.looseObject({
  type: z.literal("custom_tool_call_output"),
  call_id: z.string(),
  output: z.union([z.string(), z.array(contentPartSchema)]),
});
