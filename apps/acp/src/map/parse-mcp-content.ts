import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import * as z from "zod";
import { toFencedText } from "./text-content.ts";

const text = z.object({ type: z.literal("text"), text: z.string() });
const image = z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() });
const link = z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.string() });
const known = z.union([text, image, link]);

/** What a tool of an MCP server answered: both protocols write these blocks alike; any other is shown as it is. */
export function toContentBlocks(content: readonly unknown[]): readonly ContentBlock[] {
  return content.map((block) => {
    const parsed = known.safeParse(block);
    return parsed.success ? parsed.data : { type: "text", text: toFencedText(JSON.stringify(block, null, 2)) };
  });
}
