import * as z from "zod";
import { contentPartSchema, type ContentPart } from "./content-part.ts";

/** The model asks for a function tool; `arguments` is JSON text as the model wrote it, perhaps invalid. */
export interface FunctionCallItem {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly id?: string;
}
/** What the function tool gave back: text, or content parts where it holds images. */
export interface FunctionCallOutputItem {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string | readonly ContentPart[];
}

export const functionCallItemSchema: z.ZodType<FunctionCallItem> = z.looseObject({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  id: z.string().exactOptional(),
});

export const functionCallOutputItemSchema: z.ZodType<FunctionCallOutputItem> = z.looseObject({
  type: z.literal("function_call_output"),
  call_id: z.string(),
  output: z.union([z.string(), z.array(contentPartSchema)]),
});
