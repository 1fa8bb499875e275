import * as z from "zod";
import type { KnownItem } from "./response-item.ts";

/** Loose: fields that we do not know stay on the parsed object and go back to the server. Made at its first use. */
export const knownItemSchema: z.ZodType<KnownItem> = z.lazy(createSchema);

function createSchema(): z.ZodType<KnownItem> {
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

  return z.discriminatedUnion("type", [
    z.looseObject({
      type: z.literal("message"),
      role: z.enum(["user", "assistant", "developer", "system"]),
      content: z.array(contentPart),
      id,
    }),
    z.looseObject({
      type: z.literal("reasoning"),
      summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
      content: z
        .array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() }))
        .nullable()
        .exactOptional(),
      encrypted_content: z.string().nullable().exactOptional(),
      id,
    }),
    z.looseObject({
      type: z.literal("function_call"),
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
      id,
    }),
    z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output }),
    z.looseObject({
      type: z.literal("custom_tool_call"),
      call_id: z.string(),
      name: z.string(),
      input: z.string(),
      id,
    }),
    z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: z.string(), output }),
    z.looseObject({
      type: z.literal("web_search_call"),
      status: z.string().exactOptional(),
      action: z
        .looseObject({ type: z.string(), query: z.string().optional(), url: z.string().nullish() })
        .exactOptional(),
      id,
    }),
    z.looseObject({ type: z.literal("compaction"), encrypted_content: z.string(), id }),
  ]);
}
