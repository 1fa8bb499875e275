import type { McpContent, McpResourceContents } from "@unroll/protocol";
import * as z from "zod";

export const resourceContentsSchema: z.ZodType<McpResourceContents> = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});

const contentSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal("resource"), resource: resourceContentsSchema }),
  z.looseObject({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  }),
]);

/** Accepts extra members, and keeps a part of an unknown kind whole. */
export function parseContent(value: unknown): McpContent {
  return contentSchema.safeParse(value).data ?? { type: "unknown", value };
}
