import * as z from "zod";
import { type AgentAnswer, type AgentTool, defineAgentTool } from "./agent-tool.ts";
import { answer, approvalPolicy, pickShared, prompt, sharedSettings, threadId } from "./argument-schemas.ts";

const outputSchema = z
  .record(z.string(), z.unknown())
  .optional()
  .describe("The final message must be JSON of this JSON Schema.");

const output = z.object({
  ...answer,
  usage: z.object({
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    cacheWriteInputTokens: z.number(),
    outputTokens: z.number(),
  }),
});

function show({ threadId: id, content, usage }: AgentAnswer): z.infer<typeof output> {
  const { input_tokens: inputTokens, cached_input_tokens: cachedInputTokens, output_tokens: outputTokens } = usage;
  const cacheWriteInputTokens = usage.cache_write_input_tokens;
  return { threadId: id, content, usage: { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } };
}

export const unrollTool: AgentTool = defineAgentTool({
  name: "unroll",
  title: "Start a task",
  description:
    "Has a coding agent work on a task in a folder: it reads, edits and runs commands there. Gives its final message, what it cost in tokens, and the id of the thread for unroll_reply.",
  input: z.strictObject({
    prompt: prompt.describe("What to do."),
    ...sharedSettings,
    approvalPolicy,
    instructions: z.string().optional().describe("Instructions, behind those of the model's family."),
    outputSchema,
    ephemeral: z
      .boolean()
      .optional()
      .describe("Do not keep the thread: unroll_reply works as long as the server runs."),
  }),
  output,
  read: (given) => ({
    type: "start",
    prompt: given.prompt,
    outputSchema: given.outputSchema ?? null,
    isEphemeral: given.ephemeral ?? false,
    asked: {
      ...pickShared(given),
      approvalPolicy: given.approvalPolicy ?? null,
      developerInstructions: given.instructions ?? null,
    },
  }),
  show,
});

export const unrollReplyTool: AgentTool = defineAgentTool({
  name: "unroll_reply",
  title: "Go on with a thread",
  description:
    "Says the next thing in a thread: of the tool unroll, or any other that is kept. Gives the final message of that turn.",
  input: z.strictObject({
    threadId: threadId.describe("The thread."),
    prompt: prompt.describe("What to say."),
    outputSchema,
  }),
  output,
  read: ({ threadId: id, prompt: said, outputSchema: schema }) => ({
    type: "reply",
    threadId: id,
    prompt: said,
    outputSchema: schema ?? null,
  }),
  show,
});
