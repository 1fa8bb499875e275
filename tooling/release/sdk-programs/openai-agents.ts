import { Agent, run, tool } from "@openai/agents";
import * as z from "zod";
const deploy = tool({
  name: "deploy", description: "Deploys.", parameters: z.object({ target: z.enum(["staging", "production"]) }),
  needsApproval: async (_context, { target }) => target !== "staging",
  execute: async ({ target }) => `deployed to ${target}`,
});
const agent = new Agent({ name: "deployer", instructions: "You deploy.", tools: [deploy] });
let stream = await run(agent, "Deploy to staging", { stream: true });
for (;;) {
  for await (const text of stream.toTextStream()) process.stdout.write(text);
  await stream.completed;
  if (stream.interruptions.length === 0) break;
  for (const asked of stream.interruptions) stream.state.reject(asked, { message: "Only staging." });
  stream = await run(agent, stream.state, { stream: true });
}
console.log(stream.state.usage.outputTokens);
