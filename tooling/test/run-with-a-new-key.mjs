// Runs unroll from its sources with one more config key, declared as an edit of one source file would. With the single argument `page` it
// prints the page of the keys, with `load` what a program gets of the new one; with others it is the program.
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

const args = process.argv.slice(2);
switch (args.join(" ")) {
  case "page": {
    const { renderConfigPage } = await import("../../packages/config/src/describe/render-config-page.ts");
    console.log(JSON.stringify(renderConfigPage()));
    break;
  }
  case "load": {
    const { loadConfig } = await import("../../packages/config/src/load-config.ts");
    const { CODEX_HOME: codexHome = "", HOME } = process.env;
    const cwd = process.cwd();
    const { kettle, warnings } = await loadConfig({ codexHome, cwd, env: { HOME }, overrides: [], flags: {} });
    console.log(JSON.stringify({ kettle, warnings: warnings.map(({ message }) => message) }));
    break;
  }
  default: {
    const { startProgram } = await import("../../apps/cli/src/start-program.ts");
    process.exitCode = await startProgram({ args, ownFolders: [], complain: console.error });
  }
}
