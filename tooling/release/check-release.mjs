// Tries a release as strangers would: built, packed, checked by publint and attw, installed from the tarballs into
// empty projects by npm and by pnpm; every README example and every example runs there, bundles of a program run, the
// command installs alone and says what Node.js it needs; the changesets give one version, and publishing is tried dry.
// Nothing is published.
// usage: pnpm release:check [package|readme|examples|size|command|clone|engines|bundles|runtimes|versions …]   (all of them without a name)
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundlers, checkBundles } from "./check-bundles.mjs";
import { checkCommand, checkNatives, installCommand } from "./check-command.mjs";
import { checkEngines } from "./check-engines.mjs";
import { checkVersions } from "./check-versions.mjs";
import { startRegistry } from "./local-registry.mjs";
import { buildAnew, findFaults, packAll } from "./pack.mjs";
import { installProject, listExampleDependencies, measureProject, readRanges } from "./projects.mjs";
import { listReadmeExamples } from "./readme-examples.ts";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const scratch = mkdtempSync(join(tmpdir(), "unroll-release-"));
process.env["CODEX_HOME"] = mkdtempSync(join(scratch, "home-")); // so that the examples save no threads in your home
const limits = { packages: 40, megabytes: 25 };
/** Looked at with these versions: pinned here, so that the workspace does not carry them. */
const lookers = { publint: "0.3.25", "@arethetypeswrong/cli": "0.18.5" };
const runtimes = { bun: "1.4.5", deno: "2.9.6" };
/** The command by which each runtime runs a program. */
const ways = { "Node.js": ["node"], Bun: ["npx", "bun"], Deno: ["npx", "deno", "run", "--allow-all"] };
const hello = readFileSync(join(root, "tooling/release/hello.mjs"), "utf8");

/** It would listen for good. */
const askServer = `
  const { openWebServer } = await import("./web-server.ts");
  await using server = await openWebServer(0);
  const answer = await fetch(server.url + "run", { method: "POST", body: "Hi" });
  if (!(await answer.text()).includes("Hello, page.")) throw new Error("no events of the turn");`;

const checks = {
  async package({ packed }) {
    const faults = packed.flatMap(findFaults);
    if (faults.length > 0) throw new Error(faults.join("\n"));
    const folder = join(scratch, "lookers");
    await installProject({ folder, manager: "npm", registry: "http://127.0.0.1:9/", dependencies: lookers });
    for (const { tarball, manifest } of packed) {
      await run("npx", ["publint", tarball, "--strict"], { cwd: folder });
      if (manifest.bin === undefined) await run("npx", ["attw", tarball, "--profile", "esm-only"], { cwd: folder });
    }
    return `${packed.length} tarballs: publint and attw are clean`;
  },
  async readme({ packed, registry }) {
    const dependencies = listReadmeDependencies(packed);
    const examples = listReadmeExamples(root);
    for (const manager of ["npm", "pnpm"]) {
      const folder = join(scratch, `readme-${manager}`);
      await installProject({ folder, manager, registry, dependencies });
      for (const [index, { name, code }] of examples.entries()) {
        const file = join(folder, `example-${index}.ts`);
        writeFileSync(file, code);
        await run(process.execPath, [file], { cwd: folder, timeout: 60_000 }).catch((error) => {
          throw new Error(`${name}, by ${manager}: ${error.message}`, { cause: error });
        });
      }
    }
    return `${examples.length} README examples run on what npm and pnpm install`;
  },
  async examples({ registry }) {
    const folder = join(scratch, "examples");
    const dependencies = listExampleDependencies(root);
    await installProject({ folder, manager: "npm", registry, dependencies: { ...dependencies, "@types/node": "24" } });
    const files = globSync("examples/*/main.ts", { cwd: root }).toSorted();
    for (const file of files) {
      const name = basename(dirname(file));
      const copy = join(folder, `${name}.ts`);
      writeFileSync(copy, readFileSync(join(root, file)));
      const args = name === "web-server" ? ["--input-type=module", "--eval", askServer] : [copy];
      await run(process.execPath, args, { cwd: folder, timeout: 60_000 }).catch((error) => {
        throw new Error(`${file}: ${error.message}`, { cause: error });
      });
    }
    return `${files.length} examples run on the tarballs`;
  },
  async size({ registry }) {
    const folder = join(scratch, "size");
    await installProject({ folder, manager: "npm", registry, dependencies: { "@unroll/harness": "*" } });
    const measured = measureProject(folder);
    for (const [key, limit] of Object.entries(limits)) {
      if (measured[key] > limit)
        throw new Error(`@unroll/harness installs ${measured[key]} ${key}; the limit is ${limit}`);
    }
    return `@unroll/harness installs ${measured.packages} packages, ${measured.megabytes} MB`;
  },
  async command({ packed, registry }) {
    const said = [];
    for (const name of ["@unroll/cli", "unroll-agent"]) {
      const prefix = join(scratch, "global", name);
      const { tarball, manifest } = packed.find((one) => one.manifest.name === name);
      const isAlone = name === "@unroll/cli";
      const command = await installCommand({ tarball, prefix, registry: isAlone ? null : registry });
      if (isAlone) await checkNatives(command);
      said.push(await checkCommand({ command, manifest, prefix }));
    }
    return said.join("; ");
  },
  /** As docs/start.md says it for a clone: from files alone. */
  async clone() {
    const [tarballs, project] = [join(scratch, "clone"), join(scratch, "clone-project")];
    const { stdout } = await run(process.execPath, [join(root, "tooling/release/pack-for-install.mjs"), tarballs]);
    if (!stdout.includes(`npm install --global ${tarballs}/unroll.tgz`))
      throw new Error(`npm run pack said: ${stdout}`);
    const prefix = join(scratch, "global", "clone");
    const command = await installCommand({ tarball: join(tarballs, "unroll.tgz"), prefix, registry: null });
    const said = await run(command, ["exec", "Hi"], { cwd: prefix, env: { PATH: process.env.PATH, HOME: prefix } });
    if (!said.stdout.includes("demo model")) throw new Error(`unroll exec said: ${said.stdout}`);
    const libraries = globSync(join(tarballs, "library/*.tgz")).map((file) => [
      `@unroll/${basename(file, ".tgz")}`,
      file,
    ]);
    const dependencies = { ...Object.fromEntries(libraries), ...readRanges(root, ["zod"]) };
    await using empty = await startRegistry([]); // it has none of our packages, as npm today
    await installProject({ folder: project, manager: "npm", registry: empty.url, dependencies });
    writeFileSync(join(project, "hello.mjs"), hello);
    const { stdout: greeting } = await run(process.execPath, ["hello.mjs"], { cwd: project, timeout: 60_000 });
    if (greeting.trim() !== "Hello from a bundle.") throw new Error(`the program said: ${greeting}`);
    return `npm run pack: the command and ${libraries.length} libraries install from files alone, and run`;
  },
  async engines({ packed, registry }) {
    const { tarball } = packed.find(({ manifest }) => manifest.name === "@unroll/cli");
    const command = await installCommand({ tarball, prefix: join(scratch, "global-engines"), registry: null });
    const versions = await checkEngines({ folder: join(scratch, "engines"), registry, command });
    return `Node.js ${versions.join(" and ")} are refused in a sentence`;
  },
  async bundles({ registry }) {
    const folder = join(scratch, "bundles");
    const dependencies = {
      "@unroll/harness": "*",
      "@unroll/scripted-model": "*",
      "@unroll/mcp": "*",
      "@unroll/auth": "*",
      ...readRanges(root, ["zod", "@modelcontextprotocol/server-everything"]),
      ...bundlers,
    };
    await installProject({ folder, manager: "npm", registry, dependencies });
    const ofMcp = listReadmeExamples(root).find(({ name }) => name.startsWith("packages/mcp/"));
    const programs = { hello, mcp: `${stripTypeScriptTypes(ofMcp.code)}\nconsole.log("Hello from a bundle.");` };
    const said = await checkBundles(folder, programs, join(scratch, "bundled"));
    for (const [name, text] of Object.entries(said)) {
      if (text !== "Hello from a bundle.") throw new Error(`the bundle by ${name} said: ${text}`);
    }
    return `bundles run: ${Object.keys(said).join("; ")}`;
  },
  async runtimes({ packed, registry }) {
    const folder = join(scratch, "runtimes");
    const dependencies = { ...listReadmeDependencies(packed), ...runtimes };
    await installProject({ folder, manager: "npm", registry, dependencies });
    const examples = listReadmeExamples(root);
    const failed = [];
    for (const [runtime, [file, ...args]] of Object.entries(ways)) {
      writeFileSync(join(folder, "hello.mjs"), hello);
      const { stdout } = await run(file, [...args, "hello.mjs"], { cwd: folder, timeout: 60_000 });
      if (stdout.trim() !== "Hello from a bundle.") throw new Error(`on ${runtime} it said: ${stdout}`);
      for (const [index, { name, code }] of examples.entries()) {
        writeFileSync(join(folder, `example-${index}.ts`), code);
        const ran = run(file, [...args, `example-${index}.ts`], { cwd: folder, timeout: 60_000 });
        await ran.catch((error) => failed.push(`${name}, on ${runtime}: ${error.message}`));
      }
    }
    if (failed.length > 0) throw new Error(failed.join("\n\n"));
    return `the program and ${examples.length} README examples run on ${Object.keys(ways).join(", ")}`;
  },
  async versions({ packed }) {
    const { version, published } = await checkVersions(root, join(scratch, "copy"));
    if (published !== packed.length) throw new Error(`a dry publish names ${published} of ${packed.length} packages`);
    return `changeset version gives ${version} to all; a dry publish names ${published} packages`;
  },
};

function listReadmeDependencies(packed) {
  const libraries = packed.filter(({ manifest }) => manifest.bin === undefined);
  return {
    ...Object.fromEntries(libraries.map(({ manifest }) => [manifest.name, manifest.version])),
    ...readRanges(root, ["zod", "openai", "@modelcontextprotocol/server-everything"]),
    "@types/node": "24",
  };
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !(name in checks));
if (unknown !== undefined) {
  process.stderr.write(`There is no check ${unknown}: there are ${Object.keys(checks).join(", ")}.\n`);
  process.exit(2);
}
let isGood = true;
try {
  await buildAnew(root);
  const packed = await packAll(root, scratch);
  await using registry = await startRegistry(packed);
  for (const [name, check] of Object.entries(checks)) {
    if (named.length > 0 && !named.includes(name)) continue;
    try {
      process.stdout.write(`${name}: ${await check({ packed, registry: registry.url })}\n`);
    } catch (error) {
      isGood = false;
      process.stdout.write(`${name}: FAILED\n${error.message}\n`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);
