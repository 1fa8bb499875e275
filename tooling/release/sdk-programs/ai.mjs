// The same with `ai`: the approval is a part of the stream, answered by a message of a second call.
import { openai } from "@ai-sdk/openai";
import { stepCountIs, streamText, tool } from "ai";
import * as z from "zod";
const deploy = tool({
  description: "Deploys.", inputSchema: z.object({ target: z.enum(["staging", "production"]) }), needsApproval: true,
  execute: async ({ target }) => `deployed to ${target}`,
});
const messages = [{ role: "user", content: "Deploy to staging" }];
for (let isDone = false; !isDone; ) {
  const asked = [];
  const result = streamText({ model: openai("gpt-5"), system: "You deploy.", tools: { deploy }, stopWhen: stepCountIs(10), messages });
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") process.stdout.write(part.text);
    if (part.type === "tool-approval-request") asked.push(part);
  }
  messages.push(...(await result.response).messages);
  isDone = asked.length === 0;
  console.log((await result.totalUsage).outputTokens);
  const answers = asked.map(({ approvalId, toolCall }) => ({ type: "tool-approval-response", approvalId, approved: toolCall.input.target === "staging" }));
  if (!isDone) messages.push({ role: "tool", content: answers });
}
