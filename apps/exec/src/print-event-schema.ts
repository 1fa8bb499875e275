import { exitCodes, type ProcessIo } from "@unroll/program";
import {
  type CacheMiss,
  agentProgressSchema,
  createThreadItemSchema,
  exactly,
  type FirstDifference,
  type McpServerState,
  type RequestCache,
  type SandboxReport,
  type ThreadEvent,
  type TokenUsage,
} from "@unroll/protocol";
import * as z from "zod";

const mcpServerStateSchema: z.ZodType<McpServerState> = exactly<McpServerState>()(
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

const usageSchema: z.ZodObject<{ readonly [Field in keyof TokenUsage]: z.ZodInt }> = z.object({
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_input_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_output_tokens: z.int(),
});

/** The first thing that is not as it was. */
const differenceSchema: z.ZodType<FirstDifference> = exactly<FirstDifference>()(
  z.object({ index: z.int().nullable(), type: z.string() }),
);

const missSchema: z.ZodType<CacheMiss> = exactly<CacheMiss>()(
  z.union([
    z.object({
      type: z.enum([
        "model_changed",
        "provider_changed",
        "instructions_changed",
        "tools_changed",
        "settings_changed",
        "epoch_opened",
        "other_input",
        "history_changed",
        "other_program",
      ]),
      first_difference: differenceSchema,
      cause: z.string(),
    }),
    z.object({ type: z.enum(["not_reported", "too_short", "expired", "unexplained"]), cause: z.string() }),
  ]),
);

const cacheSchema: z.ZodType<RequestCache> = exactly<RequestCache>()(
  z.object({
    prefix_bytes: z.int(),
    shared_bytes: z.int(),
    shared_tokens: z.int(),
    cached_tokens: z.int().nullable(),
    cache_write_tokens: z.int().nullable(),
    idle_ms: z.number().nullable(),
    miss: missSchema.nullable(),
  }),
);

/** The events that `--json` writes: live text and the gaps of slow readers are for programs in the same process. */
type JsonEvent = Exclude<ThreadEvent, { readonly type: "item.delta" | "events.skipped" }>;

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
  "host.approval",
  "prefix.break",
  "model.questions",
  "server.form",
]);
const answer = z.enum([
  "approved.once",
  "approved.thread",
  "approved.edits",
  "approved.hosts",
  "approved.always",
  "postponed",
  "denied",
  "answered",
  "dismissed",
  "accepted",
  "declined",
  "cancelled",
  "invalid",
]);
const inputPart = z.union([
  z.object({
    type: z.literal("text"),
    text: z.string(),
    isAdded: z.boolean().exactOptional(),
    from: z.literal("agent").exactOptional(),
  }),
  z.object({ type: z.literal("image"), dataUrl: z.string() }),
]);
const windowOrigin = z.enum(["guess", "catalogue", "list", "config", "server"]);
const ofCommand = { item_id: z.string().nullable(), command: z.string() };
const method = z.enum(["local", "remote"]);
const totals = {
  usage: usageSchema,
  thread_usage: usageSchema.exactOptional(),
  agents: z.array(agentProgressSchema).readonly().exactOptional(),
};

const sandboxSchema: z.ZodType<SandboxReport> = exactly<SandboxReport>()(
  z.object({
    backend: z.enum(["bubblewrap", "landlock", "seatbelt", "none", "unavailable"]),
    lacks: z
      .array(
        z.enum([
          "protected_paths",
          "hidden_files",
          "file_modes",
          "process_list",
          "process_ids",
          "process_end",
          "loopback",
        ]),
      )
      .readonly(),
  }),
);

/** One line of `--json`. The compiler holds it to the type of the events, in both directions. */
const eventSchema: z.ZodType<JsonEvent> = exactly<JsonEvent>()(
  z.union([
    z.object({ type: z.literal("thread.started"), thread_id: z.string(), sandbox: sandboxSchema.exactOptional() }),
    z.object({ type: z.literal("sandbox.updated"), sandbox: sandboxSchema }),
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
    z.object({ type: z.literal("host.allowed"), ...ofCommand, host: z.string(), port: count, rule: z.string() }),
    z.object({
      type: z.literal("host.denied"),
      ...ofCommand,
      host: z.string().nullable(),
      port: count.nullable(),
      rule: z.string().nullable(),
      reason: z.string(),
    }),
    z.object({
      type: z.literal("host.closed"),
      ...ofCommand,
      host: z.string(),
      port: count,
      connections: count,
      sent_bytes: count,
      received_bytes: count,
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

/**
 * The version of the events; docs/events.md has it too. One more where a reader of the old ones would break: a member or a field is gone, or
 * has another meaning. Additions do not count: readers skip what they do not know.
 */
const version = 1;

/** Writes the JSON Schema (draft 2020-12) of one line of `--json` to stdout. */
export function printEventSchema(io: ProcessIo): number {
  // as input: what else may come in an object is nobody's fault
  const { $schema, ...schema } = z.toJSONSchema(eventSchema, { io: "input" });
  const title = "An event of unroll exec --json";
  const head = { $schema, $id: `urn:unroll:exec-events:${version}`, title, version };
  io.stdout.stream.write(`${JSON.stringify({ ...head, ...schema }, null, 2)}\n`);
  return exitCodes.completed;
}
