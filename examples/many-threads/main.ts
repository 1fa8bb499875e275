// 200 threads of one harness at once, in one process: they share connections, rules and the look for a sandbox.
import { openHarness } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { startScriptedModel } from "@unroll/scripted-model";

const count = Number(process.env["THREADS"] ?? 200);
const respond = (): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: "Done." }] });
await using server = await startScriptedModel({ respond }); // leave it out, and env: your key holds
const env = {
  PATH: process.env["PATH"],
  CODEX_HOME: "/sys/nonexistent",
  OPENAI_API_KEY: "any",
  OPENAI_BASE_URL: server.url,
};
await using harness = await openHarness({ host: nodeHost({ env }), config: { sandboxMode: "read-only" } });

const jobs = Array.from({ length: count }, async (_, index) => {
  await using thread = await harness.openThread({ instructions: "You do one job.", builtins: ["shell_command"] });
  return (await thread.run(`Do job ${index}`)).finalMessage;
});
const answers = await Promise.all(jobs);
console.log(`${answers.filter((answer) => answer === "Done.").length} of ${count} threads are done`);
