// Runs unroll from its sources with one more config key, declared as an edit of one source file would. Its argument is a JSON array of
// command lines, which it runs one after another. `page` is the page of the keys, `load` what a program gets of the new one; others are the
// program's. It prints what each exited with and wrote.
import { registerHooks } from "node:module";

const file = "/packages/config/src/keys/program-keys.ts";
const before = "    hide_agent_reasoning: {";
const declaration = `    "kettle.heat": {
      kind: ["off", "warm", "hot"],
      default: "warm",
      text: "how hot the kettle is",
      weight: "light",
      by: "user",
      flag: { names: "--kettle <heat>", text: "how hot the kettle is in this run", of: "settings" },
      member: "kettle.heat",
    },
`;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(file)) return loaded;
    const source = new TextDecoder().decode(loaded.source);
    if (!source.includes(before)) throw new Error(`There is no ${before} in ${file}.`);
    return { ...loaded, source: source.replace(before, declaration + before) };
  },
});

const { renderConfigPage } = await import("../../packages/config/src/describe/render-config-page.ts");
const { loadConfig } = await import("../../packages/config/src/load-config.ts");
const { runProgram } = await import("../../apps/cli/src/program.ts");
const { createTestIo } = await import("../../packages/program/test/fixture/test-io.ts");

async function run(args) {
  const cwd = process.cwd();
  const { CODEX_HOME: codexHome = "", HOME } = process.env;
  if (args.join(" ") === "page") return { exitCode: 0, stdout: JSON.stringify(renderConfigPage()) };
  if (args.join(" ") === "load") {
    const { kettle, warnings } = await loadConfig({ codexHome, cwd, env: { HOME }, overrides: [], flags: {} });
    return { exitCode: 0, stdout: JSON.stringify({ kettle, warnings: warnings.map(({ message }) => message) }) };
  }
  const io = createTestIo({ env: process.env, cwd, homeDirectory: HOME });
  const exitCode = await runProgram(args, io);
  return { exitCode, ...io.written };
}

const ran = [];
for (const args of JSON.parse(process.argv[2])) ran.push(await run(args));
console.log(JSON.stringify(ran));
