// One task: a tool of one's own, asked about, the answer streamed, its usage. Every call of every tool passes `approve`, and is an item event.
import { defineTool, openThread } from "@unroll/harness/node";
import * as z from "zod";
const deploy = defineTool({
  name: "deploy", description: "Deploys.", input: z.object({ target: z.enum(["staging", "production"]) }), approval: "ask",
  run: async ({ target }) => `deployed to ${target}`,
});
const approve = ({ arguments: { target } }) => (target === "staging" ? "approve" : { deny: "Only staging." });
await using thread = await openThread({ tools: [deploy], builtins: [], instructions: "You deploy.", person: approve });
const turn = thread.run("Deploy to staging");
for await (const text of turn.text) process.stdout.write(text);
const { usage } = await turn;
console.log(usage.output_tokens);
