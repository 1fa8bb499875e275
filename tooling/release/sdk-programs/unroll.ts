import { defineTool, openThread } from "@unroll/harness/node";
import * as z from "zod";
const deploy = defineTool({
  name: "deploy", description: "Deploys.", input: z.object({ target: z.enum(["staging", "production"]) }),
  approval: ({ target }) => (target === "staging" ? "run" : "ask"),
  run: async ({ target }) => `deployed to ${target}`,
});
const person = async () => ({ deny: "Only staging." });
await using thread = await openThread({ instructions: "You deploy.", tools: [deploy], builtins: [], person });
const turn = thread.run("Deploy to staging");
for await (const text of turn.text) process.stdout.write(text);
console.log((await turn).usage.output_tokens);
