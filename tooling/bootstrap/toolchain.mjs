import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { prependPath } from "./environment.mjs";

const windows = process.platform === "win32";
const minimumUv = [1, 52, 0]; // below it a pseudo-terminal loses the end of its output (Node 22, 24.0-24.15 and 25)

/** Puts a Node.js that fits `engines` on PATH: the running one, or else the pinned one, fetched into .toolchain. */
export function provideNode(workshop) {
  const wanted = workshop.manifest.engines.node;
  const minimum = parse(/\d+\.\d+\.\d+/.exec(wanted)[0]);
  if (atLeast(parse(process.version), minimum) && atLeast(parse(process.versions.uv), minimumUv)) {
    if (versionOf("node", workshop) !== process.version) prependPath(workshop.env, dirname(process.execPath));
    return;
  }
  const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
  const dir = join(workshop.root, ".toolchain", "node", "node_modules", name, "bin");
  const file = join(dir, windows ? "node.exe" : "node");
  const pin = workshop.pins.node[name];
  if (!pin || !existsSync(file) || versionOf(file, workshop) !== `v${pin.version}`) {
    fetchTool({ kind: "node", name, why: `Node.js ${wanted} is needed and this is ${process.version}` }, workshop);
    if (!versionOf(file, workshop))
      fail(`the fetched ${file} does not run on this system: install Node.js ${wanted} and run this again`);
  }
  prependPath(workshop.env, dir);
}

/** Puts pnpm on PATH: a release of the pinned major that is not older than the pin, or else the pinned one. */
export function providePnpm(workshop) {
  const pinned = /^pnpm@([^+]+)/.exec(workshop.manifest.packageManager)[1];
  const onPath = versionOf("pnpm", workshop);
  if (onPath && parse(onPath)[0] === parse(pinned)[0] && atLeast(parse(onPath), parse(pinned))) return;
  const name = `@pnpm/exe.${process.platform}-${process.arch}`;
  const dir = join(workshop.root, ".toolchain", "pnpm", "node_modules", name);
  const file = join(dir, windows ? "pnpm.exe" : "pnpm");
  if (!existsSync(file) || versionOf(file, workshop) !== pinned) {
    const why = `pnpm ${pinned} is needed and ${onPath ? `this is ${onPath}` : "there is none"}`;
    fetchTool({ kind: "pnpm", name, why }, workshop);
  }
  prependPath(workshop.env, dir);
}

/** Installs one package, whole and without running its scripts, into .toolchain/<kind>; checks the pinned hash. */
function fetchTool({ kind, name, why }, workshop) {
  const pin = workshop.pins[kind][name];
  if (!pin)
    fail(`${why}, and none is pinned for ${process.platform}-${process.arch}: install it yourself and run this again`);
  say(`${why}: fetching ${name}@${pin.version} from the npm registry into .toolchain/ (once)`);
  const target = join(workshop.root, ".toolchain", kind);
  const staging = `${target}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  removeInterrupted(dirname(target));
  writeFileSync(join(staging, "package.json"), "{}\n");
  const problem =
    npmInstall(staging, `${name}@${pin.version}`, workshop.env) ||
    (hashOf(staging, name) === pin.integrity ? "" : "its hash is not the pinned one");
  if (problem) {
    rmSync(staging, { recursive: true, force: true });
    fail(`could not fetch ${name}@${pin.version}: ${problem}`);
  }
  try {
    if (hashOf(target, name) !== pin.integrity) {
      rmSync(target, { recursive: true, force: true });
      renameSync(staging, target);
    }
  } catch (error) {
    if (hashOf(target, name) !== pin.integrity) throw error; // else another bootstrap was faster
  }
  rmSync(staging, { recursive: true, force: true });
}

function removeInterrupted(dir) {
  for (const entry of readdirSync(dir)) {
    const old = join(dir, entry);
    if (/\.\d+$/.test(entry) && Date.now() - statSync(old).mtimeMs > 3600e3)
      rmSync(old, { recursive: true, force: true });
  }
}

/** Installs with the npm that started us, so that the user's registry, proxy and certificate settings apply. */
function npmInstall(dir, spec, env) {
  const args = [
    "install",
    "--prefix",
    dir,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--fetch-retry-maxtimeout=10000", // a certificate that is not trusted stays so, and the second retry would wait for a minute
    "--loglevel=error", // its last error is all that says why, behind a proxy for example
    spec,
  ];
  const cli = process.env.npm_execpath || "";
  const options = { cwd: dir, env, stdio: ["ignore", "ignore", 2] };
  const run = cli.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [cli].concat(args), options)
    : spawnSync("npm", args, { ...options, shell: windows });
  if (run.error) return run.error.message;
  return run.status === 0 ? "" : `npm install exited with ${run.status}; its own error is above`;
}

/** The hash npm checked the package's tarball against, as npm recorded it. */
function hashOf(dir, name) {
  const lock = join(dir, "node_modules", ".package-lock.json");
  return existsSync(lock)
    ? JSON.parse(readFileSync(lock, "utf8")).packages[`node_modules/${name}`].integrity
    : undefined;
}

function versionOf(file, { root, env }) {
  const run = spawnSync(file, ["--version"], { cwd: root, env, encoding: "utf8", timeout: 30000, shell: windows });
  return run.status === 0 ? run.stdout.trim() : undefined;
}

function parse(version) {
  return version.replace(/^v/, "").split("-")[0].split(".").map(Number);
}

function atLeast(have, want) {
  for (let i = 0; i < 3; i++) if (have[i] !== want[i]) return have[i] > want[i];
  return true;
}

function say(text) {
  process.stderr.write(`[bootstrap] ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
