// The same with `@openai/agents`: the run stops at an interruption, which the program answers, and goes on.
import { Agent, run, tool } from "@openai/agents";
import * as z from "zod";
const deploy = tool({
  name: "deploy", description: "Deploys.", parameters: z.object({ target: z.enum(["staging", "production"]) }), needsApproval: true,
  execute: async ({ target }) => `deployed to ${target}`,
});
const agent = new Agent({ name: "deployer", instructions: "You deploy.", tools: [deploy] });
let input = "Deploy to staging";
for (;;) {
  const stream = await run(agent, input, { stream: true });
  for await (const text of stream.toTextStream()) process.stdout.write(text);
  await stream.completed;
  console.log(stream.state.usage.outputTokens);
  if (stream.interruptions.length === 0) break;
  for (const asked of stream.interruptions) {
    if (JSON.parse(asked.rawItem.arguments).target === "staging") stream.state.approve(asked);
    else stream.state.reject(asked);
  }
  input = stream.state;
}
