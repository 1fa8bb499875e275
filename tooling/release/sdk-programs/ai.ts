import { openai } from "@ai-sdk/openai";
import { tool, ToolLoopAgent } from "ai";
import * as z from "zod";
const deploy = tool({
  description: "Deploys.", inputSchema: z.object({ target: z.enum(["staging", "production"]) }),
  execute: async ({ target }) => `deployed to ${target}`,
});
const denied = { type: "denied", reason: "Only staging." } as const;
const agent = new ToolLoopAgent({
  model: openai("gpt-5"), instructions: "You deploy.", tools: { deploy },
  toolApproval: { deploy: async ({ target }) => (target === "staging" ? "approved" : denied) },
});
const result = await agent.stream({ prompt: "Deploy to staging" });
for await (const text of result.textStream) process.stdout.write(text);
console.log((await result.usage).outputTokens);
