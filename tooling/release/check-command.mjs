import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { measureProject } from "./projects.mjs";
import { run } from "./run.ts";

/** They serve the client at their stdin, and end with it. */
const servers = ["acp", "mcp-server", "app-server"];

/** Packages that the bundle leaves out, each with code that shows that it works here. */
const natives = {
  "node-pty": `const { spawn } = load("node-pty"); spawn("true", []).onExit(() => console.log("loaded"));`,
  sharp: `load("sharp")(Buffer.alloc(3), { raw: { width: 1, height: 1, channels: 3 } }).png().toBuffer().then(() => console.log("loaded"));`,
  "@napi-rs/keyring": `load("@napi-rs/keyring"); console.log("loaded");`,
};

/** Installs a tarball for the whole user, as `npm install --global` does, under a prefix of its own. Gives the command's path. */
export async function installCommand({ tarball, prefix, registry }) {
  mkdirSync(prefix, { recursive: true });
  const scope = registry === null ? [] : [`--@unroll:registry=${registry}`];
  await run("npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", ...scope, tarball]);
  return join(prefix, "bin/unroll");
}

/** Uses the command as somebody does who has just installed it: no config, no key. Gives what it is, in a line. */
export async function checkCommand({ command, manifest, prefix }) {
  const options = { env: { PATH: process.env.PATH, HOME: prefix }, cwd: prefix, timeout: 60_000 };
  const expect = (args, text, found) => {
    if (!found.includes(text)) throw new Error(`unroll ${args.join(" ")} does not say ${text}, but: ${found}`);
  };
  for (const [args, text] of [
    [["--version"], manifest.version],
    ...["exec", ...servers].map((name) => [["--help"], `\n  ${name}`]),
    ...servers.map((name) => [[name, "--help"], `Usage: unroll ${name}`]),
    [["exec", "--skip-git-repo-check", "-s", "read-only", "Hi"], "demo model"],
  ])
    expect(args, text, (await run(command, args, options)).stdout);
  for (const name of servers) {
    const { stdout, stderr } = await run(command, [name], options);
    if (stdout + stderr !== "") throw new Error(`unroll ${name} < /dev/null wrote: ${stdout}${stderr}`);
  }
  const { packages, megabytes } = measureProject(join(prefix, "lib"));
  return `${manifest.name}: ${manifest.version}, ${packages} packages, ${megabytes} MB`;
}

/** Loads the native packages from where the installed bundle does. */
export async function checkNatives(command) {
  for (const [name, code] of Object.entries(natives)) {
    const load = `const load = require("node:module").createRequire(${JSON.stringify(realpathSync(command))});`;
    const { stdout } = await run(process.execPath, ["--eval", load + code], { timeout: 60_000 });
    if (stdout.trim() !== "loaded") throw new Error(`${name} does not work where the command is installed: ${stdout}`);
  }
}
