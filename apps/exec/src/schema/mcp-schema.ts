import { exactly, type McpServerState } from "@unroll/protocol";
import * as z from "zod";

export const mcpServerStateSchema: z.ZodType<McpServerState> = exactly<McpServerState>()(
  z.union([
    z.object({ type: z.literal("starting") }),
    z.object({ type: z.literal("ready"), tools: z.int(), tokens: z.int(), duration_ms: z.number() }),
    z.object({ type: z.literal("delayed"), waited_ms: z.number() }),
    z.object({ type: z.literal("left_out"), tokens: z.int(), max_tokens: z.int() }),
    z.object({
      type: z.literal("failed"),
      required: z.boolean(),
      code: z.string(),
      message: z.string(),
      stderr_tail: z.string(),
    }),
    z.object({ type: z.literal("closed"), message: z.string() }),
    z.object({
      type: z.literal("tools_changed"),
      added: z.array(z.string()).readonly(),
      removed: z.array(z.string()).readonly(),
      changed: z.array(z.string()).readonly(),
    }),
  ]),
);
