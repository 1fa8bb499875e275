import * as z from "zod";
import { exactly } from "../exactly.ts";
import type { ThreadItem } from "./thread-item.ts";

/** Of an item as events tell it; the `diff` of a patch, which is for programs in the same process, is let be. */
export function createThreadItemSchema(): z.ZodType<ThreadItem> {
  const id = z.string();
  const cut = z.enum(["interrupted", "incomplete"]).exactOptional();
  const status = z.enum(["in_progress", "completed", "failed", "declined"]);
  const ending = { status, reason: z.string().exactOptional() };
  const change = z.object({
    path: z.string(),
    kind: z.enum(["add", "delete", "update"]),
    moved_from: z.string().exactOptional(),
  });
  const progress = z.object({ done: z.number(), total: z.number().nullable(), message: z.string().nullable() });
  return exactly<ThreadItem>()(
    z.union([
      z.object({ id, type: z.literal("agent_message"), text: z.string(), cut }),
      z.object({ id, type: z.literal("reasoning"), text: z.string(), cut }),
      z.object({
        id,
        type: z.literal("command_execution"),
        command: z.string(),
        aggregated_output: z.string(),
        exit_code: z.int().nullable(),
        ...ending,
        code: z.literal("sandbox_unavailable").exactOptional(),
      }),
      z.object({ id, type: z.literal("file_change"), changes: z.array(change).readonly(), ...ending }),
      z.object({
        id,
        type: z.literal("mcp_tool_call"),
        server: z.string(),
        tool: z.string(),
        arguments: z.unknown(),
        result: z.object({ content: z.array(z.unknown()).readonly(), structured_content: z.unknown() }).nullable(),
        error: z.object({ message: z.string() }).nullable(),
        status,
        progress: progress.exactOptional(),
      }),
      z.object({ id, type: z.literal("image_view"), path: z.string(), ...ending }),
      z.object({
        id,
        type: z.literal("tool_call"),
        tool: z.string(),
        arguments: z.unknown(),
        output: z.string().nullable(),
        ...ending,
      }),
      z.object({ id, type: z.literal("web_search"), query: z.string(), action: z.unknown().exactOptional(), status }),
      z.object({
        id,
        type: z.literal("todo_list"),
        items: z.array(z.object({ text: z.string(), completed: z.boolean() })).readonly(),
      }),
      z.object({ id, type: z.literal("error"), message: z.string() }),
    ]),
  );
}
