// The same with the Claude Agent SDK: the tool is an MCP server in process, the harness a program that is spawned.
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import * as z from "zod";
const deploy = tool("deploy", "Deploys.", { target: z.enum(["staging", "production"]) }, async ({ target }) => ({ content: [{ type: "text", text: `deployed to ${target}` }] }));
async function* ask() {
  yield { type: "user", message: { role: "user", content: "Deploy to staging" }, parent_tool_use_id: null };
}
const turn = query({
  prompt: ask(),
  options: {
    systemPrompt: "You deploy.", includePartialMessages: true,
    mcpServers: { own: createSdkMcpServer({ name: "own", version: "1.0.0", tools: [deploy] }) },
    canUseTool: async (name, input) => (input.target === "staging" ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: "Only staging." }),
  },
});
for await (const message of turn) {
  if (message.type === "stream_event" && message.event.delta?.type === "text_delta") process.stdout.write(message.event.delta.text);
  if (message.type === "result") console.log(message.usage.output_tokens);
}
