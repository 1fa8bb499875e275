// Sub-agents in two ways: the model gives a task to a role of the program, and the program gives tasks whose reports are typed.
import { openHarness } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { type CapturedRequest, startScriptedModel } from "@unroll/scripted-model";
import * as z from "zod";

/** Leave it out, and `env`: then your key and your model answer. */
function answer({ raw, input }: CapturedRequest) {
  const text = raw.toString();
  const file = /Review (.)\.ts/.exec(text)?.[1];
  if (file !== undefined) return { items: [{ text: `{"defects":${file === "b" ? 2 : 0}}` }] };
  if (text.includes("You count.")) return { items: [{ text: "There are two." }] };
  if (input.at(-1)?.["type"] === "function_call_output")
    return { items: [{ text: "The other agent found two files." }] };
  const task = { task_name: "files", message: "Count the files.", agent_type: "counter" };
  return { items: [{ call: "spawn_agent", arguments: task }] };
}

await using server = await startScriptedModel({ respond: answer });
const env = {
  PATH: process.env["PATH"],
  CODEX_HOME: "/sys/nonexistent",
  OPENAI_API_KEY: "any",
  OPENAI_BASE_URL: server.url,
};
await using harness = await openHarness({
  host: nodeHost({ env }),
  config: { model: "gpt-5", sandboxMode: "read-only" },
});

// 1. The model decides. The roles switch the tools on, and only restrict what a sub-agent may do.
const agents = [{ name: "counter", description: "Counts things.", instructions: "You count.", maxTurns: 5 }];
const thread = await harness.openThread({ agents });
console.log((await thread.run("How many files are there?")).finalMessage);
for (const { name, role, state } of thread.agents.list()) console.log(`${name} (${role}): ${state}`);

// 2. Your code decides: side by side, within the limits and the budget of the thread.
const output = z.object({ defects: z.number() });
const reviews = ["a.ts", "b.ts"].map(async (file) => {
  const reviewer = await thread.spawn(`Review ${file}.`, { name: file, role: "reviewer", output });
  const { value } = await reviewer.result;
  return `${file}: ${value.defects} defects`;
});
console.log((await Promise.all(reviews)).join("\n"));
