import * as z from "zod";
import { type AgentTool, defineAgentTool } from "./agent-tool.ts";
import { ArgumentFault } from "./argument-fault.ts";
import { answer, approvalPolicy, pickShared, prompt, sharedSettings } from "./argument-schemas.ts";

// Names and arguments of the Codex CLI's MCP server (0.92), for clients that know it. It passes over arguments that it does not know.

export const codexTool: AgentTool = defineAgentTool({
  name: "codex",
  title: "Start a task",
  description:
    "Has a coding agent work on a task in a folder: it reads, edits and runs commands there. Gives its final message, and the id of the thread for codex-reply.",
  input: z.looseObject({
    prompt: prompt.describe("What to do."),
    ...sharedSettings,
    "approval-policy": approvalPolicy,
    "base-instructions": z.string().optional().describe("Instructions in place of those of the model's family."),
    "developer-instructions": z.string().optional().describe("Instructions behind those."),
    "compact-prompt": z.string().optional().describe("What is asked of the model for a summary of a long thread."),
  }),
  output: z.object(answer),
  read: (given) => ({
    type: "start",
    prompt: given.prompt,
    outputSchema: null,
    isEphemeral: false,
    asked: {
      ...pickShared(given),
      approvalPolicy: given["approval-policy"] ?? null,
      config: { ...given.config, compact_prompt: given["compact-prompt"] ?? null },
      baseInstructions: given["base-instructions"] ?? null,
      developerInstructions: given["developer-instructions"] ?? null,
    },
  }),
  show: ({ threadId, content }) => ({ threadId, content }),
});

export const codexReplyTool: AgentTool = defineAgentTool({
  name: "codex-reply",
  title: "Go on with a thread",
  description: "Says the next thing in a thread of the tool codex. Gives the final message of that turn.",
  input: z.looseObject({
    prompt: prompt.describe("What to say."),
    threadId: z.string().optional().describe("The thread, as codex gave it."),
    conversationId: z.string().optional().describe("The old name of threadId."),
  }),
  output: z.object(answer),
  read({ prompt: said, threadId, conversationId }) {
    const id = threadId ?? conversationId ?? "";
    if (id === "") throw new ArgumentFault("codex-reply: threadId: the id of a thread is expected, as codex gave it.");
    return { type: "reply", threadId: id, prompt: said, outputSchema: null };
  },
  show: ({ threadId, content }) => ({ threadId, content }),
});
