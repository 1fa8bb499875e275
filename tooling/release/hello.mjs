// The program that is bundled: a thread on a scripted server, with a tool of its own and the instructions of its model family.
import { defineTool, openThread } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { startScriptedModel } from "@unroll/scripted-model";
import * as z from "zod";

const turns = [
  { items: [{ call: "greet", arguments: { name: "a bundle" } }] },
  { items: [{ text: "Hello from a bundle." }] },
];
await using server = await startScriptedModel({ script: { turns } });
const env = {
  PATH: process.env.PATH,
  CODEX_HOME: "/sys/nonexistent",
  OPENAI_API_KEY: "any",
  OPENAI_BASE_URL: server.url,
};
const greet = defineTool({
  name: "greet",
  description: "Greets.",
  input: z.object({ name: z.string().describe("Whom.") }),
  run: ({ name }) => `Hello from ${name}.`,
});
const config = { model: "gpt-5-codex", sandboxMode: "read-only" };
await using thread = await openThread({ host: nodeHost({ env }), config, tools: [greet] });
const { finalMessage } = await thread.run("Hi");
if (!JSON.stringify(server.requests[0].body).includes("apply_patch")) throw new Error("no base instructions");
console.log(finalMessage);
