import { join } from "node:path";
import { installProject } from "./projects.mjs";
import { run } from "./run.ts";

/** Versions that people still have, and that lack features we use. */
const versions = { 20: "20.20.2", 22: "22.23.3" };

/**
 * Checks the messages for an older Node.js: npm warns about our libraries, or refuses them if it is strict, and the
 * command names the required version in one sentence. Throws where one of them is silent. Gives the versions that were
 * tried.
 */
export async function checkEngines({ folder, registry, command }) {
  const binaries = Object.entries(versions).map(([major, version]) => [
    `node-${major}`,
    `npm:node-${process.platform}-${process.arch}@${version}`,
  ]);
  await installProject({ folder, manager: "npm", registry, dependencies: Object.fromEntries(binaries) });
  for (const [name] of binaries) {
    const bin = join(folder, "node_modules", name, "bin");
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const project = join(folder, `project-${name}`);
    await installProject({ folder: project, manager: "npm", registry, dependencies: {} });
    const install = ["install", "--no-audit", "--no-fund", "--no-save", "@unroll/harness"];
    expect(`npm on ${name}`, "EBADENGINE", (await run("npm", install, { cwd: project, env })).stderr);
    expect(
      `npm --engine-strict on ${name}`,
      "EBADENGINE",
      await fail("npm", [...install, "--engine-strict"], { cwd: project, env }),
    );
    expect(
      `unroll on ${name}`,
      "unroll: needs Node.js",
      await fail(join(bin, "node"), [command, "exec", "Hi"], { cwd: project }),
    );
  }
  return Object.values(versions);
}

function expect(who, text, found) {
  if (!found.includes(text)) throw new Error(`${who} does not say ${text}, but: ${found}`);
}

/** The output of a program that must fail. */
async function fail(file, args, options) {
  const said = await run(file, args, options).catch((error) => error);
  if (!(said instanceof Error)) throw new Error(`${[file, ...args].join(" ")} did not fail: ${said.stdout}`);
  return said.message;
}
