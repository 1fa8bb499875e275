import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import * as z from "zod";
const input = z.object({ target: z.enum(["staging", "production"]) });
const deploy = tool("deploy", "Deploys.", input.shape, async ({ target }) => ({
  content: [{ type: "text", text: `deployed to ${target}` }],
}));
const turn = query({
  prompt: "Deploy to staging",
  options: {
    systemPrompt: "You deploy.", tools: [], includePartialMessages: true, permissionMode: "default",
    mcpServers: { own: createSdkMcpServer({ name: "own", version: "1.0.0", tools: [deploy] }) },
    canUseTool: async (_name, given) => {
      if (input.parse(given).target === "staging") return { behavior: "allow", updatedInput: given };
      return { behavior: "deny", message: "Only staging." };
    },
  },
});
for await (const message of turn) {
  if (message.type === "stream_event" && message.event.type === "content_block_delta")
    if (message.event.delta.type === "text_delta") process.stdout.write(message.event.delta.text);
  if (message.type === "result") console.log(message.usage.output_tokens);
}
