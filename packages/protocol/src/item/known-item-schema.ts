import * as z from "zod";
import type { KnownItem } from "./response-item.ts";

const id = z.string().exactOptional();

const contentPart = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("input_text"), text: z.string() }),
  z.looseObject({
    type: z.literal("input_image"),
    image_url: z.string(),
    detail: z.enum(["auto", "low", "high", "original"]).exactOptional(),
  }),
  z.looseObject({ type: z.literal("output_text"), text: z.string() }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);

const output = z.union([z.string(), z.array(contentPart)]);

const kinds = {
  message: z.looseObject({
    type: z.literal("message"),
    role: z.enum(["user", "assistant", "developer", "system"]),
    content: z.array(contentPart),
    id,
  }),
  reasoning: z.looseObject({
    type: z.literal("reasoning"),
    summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
    content: z
      .array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() }))
      .nullable()
      .exactOptional(),
    encrypted_content: z.string().nullable().exactOptional(),
    id,
  }),
  function_call: z.looseObject({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    id,
  }),
  function_call_output: z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output }),
  custom_tool_call: z.looseObject({
    type: z.literal("custom_tool_call"),
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
    id,
  }),
  custom_tool_call_output: z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: z.string(), output }),
  web_search_call: z.looseObject({
    type: z.literal("web_search_call"),
    status: z.string().exactOptional(),
    action: z
      .looseObject({ type: z.string(), query: z.string().optional(), url: z.string().nullish() })
      .exactOptional(),
    id,
  }),
  compaction: z.looseObject({ type: z.literal("compaction"), encrypted_content: z.string(), id }),
};

/** Loose: fields that we do not know stay on the parsed object and go back to the server. */
export const knownItemSchema: z.ZodType<KnownItem> = z.discriminatedUnion("type", [
  kinds.message,
  kinds.reasoning,
  kinds.function_call,
  kinds.function_call_output,
  kinds.custom_tool_call,
  kinds.custom_tool_call_output,
  kinds.web_search_call,
  kinds.compaction,
]);

/** The types of items that we know. */
export const knownItemTypes: readonly string[] = Object.keys(kinds);

/** Whether `knownItemSchema` takes a value. */
export function isKnownItem(value: unknown): value is KnownItem {
  const type: unknown = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  return isKind(type) && kinds[type].safeParse(value).success;
}

function isKind(type: unknown): type is KnownItem["type"] {
  return typeof type === "string" && Object.hasOwn(kinds, type);
}
