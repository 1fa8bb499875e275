// A sub-agent is a tool that opens a thread of the same harness, with a part of the budget.
import { defineTool, openHarness, type Thread } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { startScriptedModel } from "@unroll/scripted-model";
import * as z from "zod";

const turns = [
  { items: [{ call: "delegate", arguments: { task: "Count the files." } }] },
  { items: [{ text: "There are two." }] },
  { items: [{ text: "The other agent found two files." }] },
];
await using server = await startScriptedModel({ script: { turns } }); // leave it out, and env: your key holds
const env = {
  PATH: process.env["PATH"],
  CODEX_HOME: "/nonexistent",
  OPENAI_API_KEY: "any",
  OPENAI_BASE_URL: server.url,
};

const config = { sandboxMode: "read-only" } as const;
await using harness = await openHarness({ host: nodeHost({ env }), config });
const delegate = (thread: () => Thread) =>
  defineTool({
    name: "delegate",
    description: "Gives a task to another agent and returns its answer.",
    input: z.object({ task: z.string() }),
    async run({ task }, { signal }) {
      await using child = await harness.openThread({
        parent: thread(),
        instructions: "You count.",
        builtins: ["shell_command"],
      });
      console.log(`asked: ${task}`);
      return (await child.run(task, { signal })).finalMessage ?? "It said nothing.";
    },
  });
const parent = await harness.openThread({ tools: (thread) => [delegate(thread)] });
console.log((await parent.run("How many files are there?")).finalMessage);
