// The cases of the public compliance suite of the Open Responses API: see README.md.
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { startDemoModel } from "../../packages/scripted-model/src/index.ts";
import { cases } from "./cases.mjs";
import { openServer } from "./open-server.mjs";

const { url, model } = parseArguments("node -C @unroll/source conformance/open-responses/run.mjs [URL] [MODEL]", { words: { url: text, model: text } });
let good = 0;
for (const [name, run] of Object.entries(cases)) {
  const demo = url === null ? await startDemoModel() : null; // each has its own: a request that breaks a law is its own fault
  const server = openServer({ url: url ?? demo.url, model: model ?? "gpt-5", key: process.env.OPENAI_API_KEY ?? "none" });
  const wrong = await run(server).catch((error) => [String(error)]);
  await demo?.close().catch(() => {}); // some break a law on purpose
  good += wrong.length === 0 ? 1 : 0;
  console.log(`${wrong.length === 0 ? "ok    " : "FAILED"} ${name}${wrong.map((what) => `\n         ${what}`).join("")}`);
}
const count = Object.keys(cases).length;
console.log(`${good} of ${count} cases`);
process.exitCode = good === count ? 0 : 1;
