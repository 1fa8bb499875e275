import * as z from "zod";
import { exactly } from "../exactly.ts";
import type { AgentProgress, ThreadItem } from "./thread-item.ts";

const id = z.string();
const cut = z.enum(["interrupted", "incomplete"]).exactOptional();
const status = z.enum(["in_progress", "completed", "failed", "declined", "unknown"]);
const call = {
  id,
  status,
  call_id: z.string().exactOptional(),
  started_at: z.number().exactOptional(),
  duration_ms: z.number().exactOptional(),
};
const cwd = z.string().exactOptional();
const reason = z.string().exactOptional();
const change = z.object({
  path: z.string(),
  kind: z.enum(["add", "delete", "update"]),
  moved_from: z.string().exactOptional(),
});
const progress = z.object({ done: z.number(), total: z.number().nullable(), message: z.string().nullable() });
/** A sub-agent's progress. */
export const agentProgressSchema: z.ZodType<AgentProgress> = exactly<AgentProgress>()(
  z.object({
    thread_id: z.string(),
    name: z.string(),
    role: z.string().nullable(),
    state: z.enum(["running", "completed", "failed", "stopped"]),
    last_action: z.string().nullable(),
    tokens: z.int(),
    cached_tokens: z.int().exactOptional(),
    cost: z.number().nullable(),
    worktree: z.object({ path: z.string(), branch: z.string(), patch: z.string().nullable() }).exactOptional(),
    get agents(): z.ZodExactOptional<z.ZodReadonly<z.ZodArray<z.ZodType<AgentProgress>>>> {
      return z.array(agentProgressSchema).readonly().exactOptional();
    },
  }),
);

const kinds = {
  agent_message: z.object({ id, type: z.literal("agent_message"), text: z.string(), cut }),
  reasoning: z.object({ id, type: z.literal("reasoning"), text: z.string(), cut }),
  command_execution: z.object({
    type: z.literal("command_execution"),
    source: z.literal("user").exactOptional(),
    cwd,
    command: z.string(),
    aggregated_output: z.string(),
    omitted_lines: z.int().exactOptional(),
    exit_code: z.int().nullable(),
    ...call,
    reason,
    code: z.enum(["sandbox_unavailable", "sandbox_denied"]).exactOptional(),
  }),
  file_change: z.object({
    type: z.literal("file_change"),
    cwd,
    changes: z.array(change).readonly(),
    ...call,
    reason,
  }),
  mcp_tool_call: z.object({
    type: z.literal("mcp_tool_call"),
    server: z.string(),
    tool: z.string(),
    arguments: z.unknown(),
    result: z.object({ content: z.array(z.unknown()).readonly(), structured_content: z.unknown() }).nullable(),
    error: z.object({ message: z.string() }).nullable(),
    ...call,
    progress: progress.exactOptional(),
  }),
  image_view: z.object({ type: z.literal("image_view"), path: z.string(), ...call, reason }),
  tool_call: z.object({
    type: z.literal("tool_call"),
    tool: z.string(),
    arguments: z.unknown(),
    output: z.string().nullable(),
    ...call,
    reason,
    agent: agentProgressSchema.exactOptional(),
    reported: z.array(z.string()).readonly().exactOptional(),
  }),
  web_search: z.object({
    id,
    type: z.literal("web_search"),
    query: z.string(),
    action: z.unknown().exactOptional(),
    status,
  }),
  todo_list: z.object({
    id,
    type: z.literal("todo_list"),
    items: z.array(z.object({ text: z.string(), completed: z.boolean() })).readonly(),
  }),
  error: z.object({ id, type: z.literal("error"), message: z.string() }),
};

/**
 * The schema of an item in an event; it ignores the `diff` of a patch, which is for programs in the
 * same process.
 */
export function createThreadItemSchema(): z.ZodType<ThreadItem> {
  return exactly<ThreadItem>()(
    z.union([
      kinds.agent_message,
      kinds.reasoning,
      kinds.command_execution,
      kinds.file_change,
      kinds.mcp_tool_call,
      kinds.image_view,
      kinds.tool_call,
      kinds.web_search,
      kinds.todo_list,
      kinds.error,
    ]),
  );
}

/** Whether `createThreadItemSchema` takes a value. */
export function isThreadItem(value: unknown): value is ThreadItem {
  const type: unknown = typeof value === "object" && value !== null && "type" in value ? value.type : null;
  return isKind(type) && kinds[type].safeParse(value).success;
}

function isKind(type: unknown): type is ThreadItem["type"] {
  return typeof type === "string" && Object.hasOwn(kinds, type);
}
