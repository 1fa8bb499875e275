import * as z from "zod";
import { once } from "../once.ts";
import type { KnownItem } from "./response-item.ts";

/** Loose: fields that we do not know stay on the parsed object and go back to the server. Made at its first use. */
export const knownItemSchema: z.ZodType<KnownItem> = z.lazy(() =>
  z.discriminatedUnion("type", [
    kinds.message(),
    kinds.reasoning(),
    kinds.function_call(),
    kinds.function_call_output(),
    kinds.custom_tool_call(),
    kinds.custom_tool_call_output(),
    kinds.web_search_call(),
    kinds.compaction(),
  ]),
);

/** Whether `knownItemSchema` takes a value. Only the schemas of those kinds are made that come. */
export function isKnownItem(value: unknown): value is KnownItem {
  const type: unknown = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  return isKind(type) && kinds[type]().safeParse(value).success;
}

function isKind(type: unknown): type is KnownItem["type"] {
  return typeof type === "string" && Object.hasOwn(kinds, type);
}

const id = once(() => z.string().exactOptional());

const contentPart = once(() =>
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("input_text"), text: z.string() }),
    z.looseObject({
      type: z.literal("input_image"),
      image_url: z.string(),
      detail: z.enum(["auto", "low", "high", "original"]).exactOptional(),
    }),
    z.looseObject({ type: z.literal("output_text"), text: z.string() }),
    z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
  ]),
);

const output = once(() => z.union([z.string(), z.array(contentPart())]));

const kinds = {
  message: once(() =>
    z.looseObject({
      type: z.literal("message"),
      role: z.enum(["user", "assistant", "developer", "system"]),
      content: z.array(contentPart()),
      id: id(),
    }),
  ),
  reasoning: once(() =>
    z.looseObject({
      type: z.literal("reasoning"),
      summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
      content: z
        .array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() }))
        .nullable()
        .exactOptional(),
      encrypted_content: z.string().nullable().exactOptional(),
      id: id(),
    }),
  ),
  function_call: once(() =>
    z.looseObject({
      type: z.literal("function_call"),
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
      id: id(),
    }),
  ),
  function_call_output: once(() =>
    z.looseObject({ type: z.literal("function_call_output"), call_id: z.string(), output: output() }),
  ),
  custom_tool_call: once(() =>
    z.looseObject({
      type: z.literal("custom_tool_call"),
      call_id: z.string(),
      name: z.string(),
      input: z.string(),
      id: id(),
    }),
  ),
  custom_tool_call_output: once(() =>
    z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: z.string(), output: output() }),
  ),
  web_search_call: once(() =>
    z.looseObject({
      type: z.literal("web_search_call"),
      status: z.string().exactOptional(),
      action: z
        .looseObject({ type: z.string(), query: z.string().optional(), url: z.string().nullish() })
        .exactOptional(),
      id: id(),
    }),
  ),
  compaction: once(() => z.looseObject({ type: z.literal("compaction"), encrypted_content: z.string(), id: id() })),
};
