import { createThreadItemSchema, exactly, type ThreadEvent } from "@unroll/protocol";
import * as z from "zod";
import { mcpServerStateSchema } from "./mcp-schema.ts";
import { cacheSchema, differenceSchema, usageSchema } from "./request-schema.ts";

/** What `--json` writes: live text and the gaps of slow readers are for programs in the same process. */
export type JsonEvent = Exclude<ThreadEvent, { readonly type: "item.delta" | "events.skipped" }>;

const count = z.int();
const budget = z.object({
  limit: z.enum(["max_turns", "max_tokens", "max_cost", "max_time"]),
  of: z.string(),
  max: z.number(),
  spent: z.number(),
});
const question = z.enum([
  "command.approval",
  "patch.approval",
  "tool.approval",
  "prefix.break",
  "model.questions",
  "server.form",
]);
const answer = z.enum([
  "approved.once",
  "approved.thread",
  "approved.always",
  "denied",
  "answered",
  "dismissed",
  "accepted",
  "declined",
  "cancelled",
  "invalid",
]);
const inputPart = z.union([
  z.object({ type: z.literal("text"), text: z.string(), isAdded: z.boolean().exactOptional() }),
  z.object({ type: z.literal("image"), dataUrl: z.string() }),
]);
const windowOrigin = z.enum(["guess", "catalogue", "list", "config", "server"]);
const method = z.enum(["local", "remote"]);
const totals = { usage: usageSchema, thread_usage: usageSchema.exactOptional() };

/** One line of `--json`. The compiler holds it to the type of the events, in both directions. */
export const eventSchema: z.ZodType<JsonEvent> = exactly<JsonEvent>()(
  z.union([
    z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
    z.object({
      type: z.literal("turn.started"),
      turn_id: z.string(),
      context_window: count.exactOptional(),
      context_window_origin: windowOrigin.exactOptional(),
    }),
    z.object({
      type: z.literal("context_window.updated"),
      context_window: count,
      origin: windowOrigin,
      replaced: z.object({ context_window: count, origin: windowOrigin }),
    }),
    z.object({ type: z.enum(["item.started", "item.updated", "item.completed"]), item: createThreadItemSchema() }),
    z.object({ type: z.literal("input.received"), input: z.array(inputPart).readonly() }),
    z.object({ type: z.literal("request.started"), items: count, is_beside: z.boolean() }),
    z.object({
      type: z.literal("request.completed"),
      response_id: z.string(),
      usage: usageSchema.nullable(),
      cache: cacheSchema,
    }),
    z.object({
      type: z.literal("stream.retrying"),
      attempt: count,
      max_attempts: count,
      delay_ms: z.number(),
      cause: z.object({ code: z.string(), message: z.string() }),
    }),
    z.object({ type: z.literal("question.asked"), question, item_id: z.string().nullable(), reason: z.string() }),
    z.object({
      type: z.literal("question.answered"),
      question,
      item_id: z.string().nullable(),
      answer,
      answered_at: z.number().exactOptional(),
    }),
    z.object({ type: z.literal("compaction.started"), cause: z.string(), method, tokens: count }),
    z.object({
      type: z.literal("compaction.completed"),
      method,
      tokens_before: count,
      tokens_after: count,
      summary: z.string().nullable(),
    }),
    z.object({
      type: z.literal("epoch.opened"),
      cause: z.string(),
      items: count,
      shared_items: count,
      first_difference: differenceSchema,
    }),
    z.object({ type: z.literal("budget.updated"), limits: z.array(budget).readonly() }),
    z.object({ type: z.literal("mcp.server_updated"), server: z.string(), state: mcpServerStateSchema }),
    z.object({
      type: z.literal("mcp.tool_adapted"),
      server: z.string(),
      tool: z.string(),
      name: z.string().nullable(),
      reason: z.string(),
    }),
    z.object({ type: z.literal("warning"), message: z.string() }),
    z.object({ type: z.literal("turn.completed"), ...totals }),
    z.object({
      type: z.literal("turn.failed"),
      error: z.object({ code: z.string(), message: z.string(), budget: budget.exactOptional() }),
      ...totals,
    }),
  ]),
);
