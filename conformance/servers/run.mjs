// Cases of servers, through unroll and, beside it, the Codex CLI: see README.md.
//
//   node -C @unroll/source conformance/servers/run.mjs                      the cases of our own, each with a server of its own
//   node -C @unroll/source conformance/servers/run.mjs --url URL --model M  those for any server, against this one
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { liveCases } from "./live-cases.mjs";
import { model as ownModel, ownCases } from "./own-cases.mjs";
import { listPrograms, openWorld } from "./programs.mjs";
import { serve } from "./replay.mjs";

const usage = "node -C @unroll/source conformance/servers/run.mjs [--url URL] [--model MODEL] [--codex CODEX] [--only WORDS] [--program NAME]";
const options = parseArguments(usage, { options: { url: text, model: text, codex: text, only: text, program: text } });
const { url, model, codex, only, program } = options;
const programs = listPrograms({ codex, only: program });
const groups = url === null ? ownCases : { [`A server at ${url}`]: liveCases };
const score = new Map(programs.map(({ name }) => [name, 0]));
let count = 0;

for (const [group, cases] of Object.entries(groups)) {
  const chosen = cases.filter(({ name }) => only === null || `${group} ${name}`.toLowerCase().includes(only.toLowerCase()));
  if (chosen.length === 0) continue;
  const names = programs.map(({ name }) => name);
  console.log(`\n## ${group}\n\n| case | ${names.join(" | ")} |\n|---${"|---".repeat(names.length)}|`);
  for (const each of chosen) {
    count += 1;
    const cells = [];
    for (const one of programs) {
      const fault = await attempt(each, one);
      if (fault === null) score.set(one.name, score.get(one.name) + 1);
      cells.push(fault === null ? "ok" : `**${fault.replaceAll("|", "\\|")}**`);
    }
    console.log(`| ${each.name} | ${cells.join(" | ")} |`);
  }
}
console.log(`\n${[...score].map(([name, good]) => `${name}: ${good} of ${count}`).join(", ")}`);
process.exitCode = score.get("unroll") === count || !score.has("unroll") ? 0 : 1;

/** The fault; null: none. */
async function attempt(each, one) {
  const server = url === null ? await serve(each.serve) : null;
  const address = server?.url ?? url.replace("{say}", encodeURIComponent(each.say(one.name)));
  const named = url === null ? (each.model === undefined ? ownModel : each.model) : model;
  const world = openWorld(one, { url: address, model: named });
  try {
    return await each.run(world, server);
  } catch (error) {
    return String(error).split("\n")[0];
  } finally {
    await server?.close();
    world.close();
  }
}
