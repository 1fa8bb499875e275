// Your own tool, in front of a real sandbox. You approve each call.
import { createInterface } from "node:readline/promises";
import { defineTool, nodeHost, openThread } from "@unroll/harness/node";
import { startScriptedModel } from "@unroll/scripted-model";
import * as z from "zod";

const call = { call: "deploy", arguments: { target: "staging" } };
const turns = [{ items: [call] }, { items: [{ text: "It is deployed." }] }];
await using server = await startScriptedModel({ script: { turns } }); // leave it out, and host: your key holds
const env = {
  PATH: process.env["PATH"],
  CODEX_HOME: "/sys/nonexistent",
  OPENAI_API_KEY: "any",
  OPENAI_BASE_URL: server.url,
};

const deploy = defineTool({
  name: "deploy",
  description: "Deploys the program.",
  input: z.object({ target: z.enum(["staging", "production"]) }),
  approval: "ask",
  run: async ({ target }) => `deployed to ${target}`,
});

/** Where there is no terminal, yes: only so that this runs by itself. */
async function isWanted(what: string): Promise<boolean> {
  if (!process.stdin.isTTY) return true;
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  return (await terminal.question(`${what} [y/N] `)) === "y";
}

await using thread = await openThread({
  host: nodeHost({ env }),
  config: { sandboxMode: "workspace-write" },
  tools: [deploy],
  person: async ({ reason }) => ((await isWanted(reason)) ? "approve" : { deny: "Not now: ask again tomorrow." }),
});
const turn = thread.run("Deploy to staging");
for await (const event of turn) if (event.type === "question.asked") console.log(event.reason);
console.log((await turn).finalMessage);
