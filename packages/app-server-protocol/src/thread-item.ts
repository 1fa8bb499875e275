import * as z from "zod";

/** A user's message, part by part. A part of another type is rejected with its place. */
export const userInput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  /** A `data:` URL. */
  z.object({ type: z.literal("image"), url: z.string() }),
  z.object({ type: z.literal("localImage"), path: z.string() }),
  z.object({ type: z.literal("mention"), name: z.string(), path: z.string() }),
  z.object({ type: z.literal("skill"), name: z.string(), path: z.string() }),
]);

const workStatus = z.enum(["inProgress", "completed", "failed", "declined"]);
const callStatus = z.enum(["inProgress", "completed", "failed"]);
const durationMs = z.number().nullable();

export const fileUpdate = z.object({
  path: z.string(),
  kind: z.discriminatedUnion("type", [
    z.object({ type: z.literal("add") }),
    z.object({ type: z.literal("delete") }),
    z.object({ type: z.literal("update"), move_path: z.string().nullable() }),
  ]),
  /**
   * The text of an added or deleted file, the hunks of a changed one. A moved file has `Moved to: PATH` below them. Empty
   * where it is not known, as of a turn that is read back.
   */
  diff: z.string(),
});

/** `path` of a search or a list is shortened, for people; that of a file is absolute. */
export const commandAction = z.discriminatedUnion("type", [
  z.object({ type: z.literal("read"), command: z.string(), name: z.string(), path: z.string() }),
  z.object({ type: z.literal("listFiles"), command: z.string(), path: z.string().nullable() }),
  z.object({
    type: z.literal("search"),
    command: z.string(),
    query: z.string().nullable(),
    path: z.string().nullable(),
  }),
  z.object({ type: z.literal("unknown"), command: z.string() }),
]);

/** A sub-agent. The members from `name` on are ours. */
const agentState = z.object({
  status: z.enum(["running", "completed", "errored", "interrupted"]),
  /** Its report, or why it failed; null: it runs, or its own call has it. */
  message: z.string().nullable(),
  /** With those of the sub-agents above it: `worker / explorer 2`. */
  name: z.string(),
  role: z.string().nullable(),
  parentThreadId: z.string(),
  /** Its running or last command or call; null: none yet. */
  lastAction: z.string().nullable(),
  tokens: z.number(),
  /** The part of them that came from the cache; null: not known. */
  cachedTokens: z.number().nullable(),
  /** With those of its own sub-agents; null: its model's price is not known. */
  costUsd: z.number().nullable(),
});

/** One thing that happened in a turn. */
export const threadItem = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("userMessage"),
    id: z.string(),
    clientId: z.string().nullable(),
    content: z.array(userInput),
  }),
  z.object({ type: z.literal("agentMessage"), id: z.string(), text: z.string(), phase: z.null() }),
  z.object({
    type: z.literal("reasoning"),
    id: z.string(),
    summary: z.array(z.string()),
    content: z.array(z.string()),
  }),
  z.object({
    type: z.literal("commandExecution"),
    id: z.string(),
    command: z.string(),
    cwd: z.string(),
    processId: z.null(),
    source: z.enum(["agent", "userShell"]),
    status: workStatus,
    commandActions: z.array(commandAction),
    aggregatedOutput: z.string().nullable(),
    exitCode: z.number().nullable(),
    durationMs,
  }),
  z.object({ type: z.literal("fileChange"), id: z.string(), changes: z.array(fileUpdate), status: workStatus }),
  z.object({
    type: z.literal("mcpToolCall"),
    id: z.string(),
    server: z.string(),
    tool: z.string(),
    status: callStatus,
    arguments: z.unknown(),
    result: z.object({ content: z.array(z.unknown()), structuredContent: z.unknown(), _meta: z.null() }).nullable(),
    error: z.object({ message: z.string() }).nullable(),
    durationMs,
  }),
  z.object({
    type: z.literal("dynamicToolCall"),
    id: z.string(),
    namespace: z.null(),
    tool: z.string(),
    arguments: z.unknown(),
    status: callStatus,
    contentItems: z.array(z.object({ type: z.literal("inputText"), text: z.string() })).nullable(),
    success: z.boolean().nullable(),
    durationMs,
  }),
  /** A call that started a sub-agent, or a message with which one continues. */
  z.object({
    type: z.literal("collabAgentToolCall"),
    id: z.string(),
    tool: z.enum(["spawnAgent", "sendInput"]),
    status: callStatus,
    senderThreadId: z.string(),
    receiverThreadIds: z.array(z.string()),
    /** The task, or the message. */
    prompt: z.string().nullable(),
    /** As the call asked for them; null: it did not. */
    model: z.string().nullable(),
    reasoningEffort: z.string().nullable(),
    /** By thread, with the sub-agents that the sub-agent started. */
    agentsStates: z.record(z.string(), agentState),
  }),
  z.object({ type: z.literal("webSearch"), id: z.string(), query: z.string(), action: z.unknown() }),
  z.object({ type: z.literal("imageView"), id: z.string(), path: z.string() }),
  z.object({ type: z.literal("contextCompaction"), id: z.string() }),
  /** `review`: what is looked at; then what was found, as Markdown. */
  z.object({ type: z.literal("enteredReviewMode"), id: z.string(), review: z.string() }),
  z.object({ type: z.literal("exitedReviewMode"), id: z.string(), review: z.string() }),
]);

/** A part of what a person sends. */
export type WireInput = z.infer<typeof userInput>;
/** A sub-agent, as clients get it. */
export type WireAgentState = z.infer<typeof agentState>;
/** One item of a turn, as clients get it. */
export type WireItem = z.infer<typeof threadItem>;
