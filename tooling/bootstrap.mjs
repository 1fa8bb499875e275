#!/usr/bin/env node
// One entry point for a fresh clone:   npm start [-- args]   |   npm test [-- args]
//
// Deliberately plain, old JavaScript: it has to run on whatever Node the machine has (14.18+).
// It finds, or fetches from the npm registry only, a Node.js new enough for this project and the
// pinned pnpm; then it installs, builds and runs. Outside the checkout it writes nothing but the
// ordinary npm and pnpm caches; inside it, only ignored folders (.toolchain, node_modules, dist, .turbo).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));
const manifest = readJson("package.json");
const pins = readJson("tooling", "toolchain.json");
const minNode = parse(/\d+\.\d+\.\d+/.exec(manifest.engines.node)[0]);
const minUv = [1, 52, 0]; // below it a pseudo-terminal loses the end of its output (Node 22, 24.0-24.15 and 25)
const windows = process.platform === "win32";

function say(text) {
  process.stderr.write(`[bootstrap] ${text}\n`);
}
function fail(text) {
  say(text);
  process.exit(1);
}
function parse(version) {
  return version.replace(/^v/, "").split("-")[0].split(".").map(Number);
}
function atLeast(have, want) {
  for (let i = 0; i < 3; i++) if (have[i] !== want[i]) return have[i] > want[i];
  return true;
}

// What `npm run` exports about itself must not leak into pnpm, turbo and the scripts they start.
const env = {};
for (const key of Object.keys(process.env)) {
  if (/^npm_(lifecycle_|package_|command$|execpath$|node_execpath$)/i.test(key)) continue;
  if (
    /^npm_config_(prefix|local_prefix|global_prefix|globalconfig|userconfig|user_agent|npm_version|node_gyp|noproxy|cache|init_module|yes)$/i.test(
      key,
    )
  )
    continue;
  env[key] = process.env[key];
}
env.TURBO_TELEMETRY_DISABLED = "1";
env.TURBO_NO_UPDATE_NOTIFIER = "1";
env.COREPACK_ENABLE_DOWNLOAD_PROMPT = "0";
const pathKey = Object.keys(env).find((key) => key.toUpperCase() === "PATH") || "PATH";
env[pathKey] = (env[pathKey] || "")
  .split(delimiter)
  .filter((dir) => !/node_modules[\\/]\.bin$|node-gyp-bin$/.test(dir))
  .join(delimiter);
function prepend(dir) {
  env[pathKey] = dir + delimiter + env[pathKey];
}
function versionOf(file) {
  const run = spawnSync(file, ["--version"], { cwd: root, env, encoding: "utf8", timeout: 30000, shell: windows });
  return run.status === 0 ? run.stdout.trim() : undefined;
}

/** Installs one package, whole and without running its scripts, into .toolchain/<kind>; checks the pinned hash. */
function fetchTool(kind, name, why) {
  const pin = pins[kind][name];
  if (!pin)
    fail(`${why}, and none is pinned for ${process.platform}-${process.arch}: install it yourself and run this again`);
  say(`${why}: fetching ${name}@${pin.version} from the npm registry into .toolchain/ (once)`);
  const target = join(root, ".toolchain", kind);
  const staging = `${target}.${process.pid}`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const entry of readdirSync(dirname(target))) {
    const old = join(dirname(target), entry); // left by an interrupted run
    if (/\.\d+$/.test(entry) && Date.now() - statSync(old).mtimeMs > 3600e3)
      rmSync(old, { recursive: true, force: true });
  }
  writeFileSync(join(staging, "package.json"), "{}\n");
  const args = [
    "install",
    "--prefix",
    staging,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--silent",
    `${name}@${pin.version}`,
  ];
  const cli = process.env.npm_execpath || "";
  const run = cli.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [cli].concat(args), { cwd: staging, env, stdio: ["ignore", 2, 2] })
    : spawnSync("npm", args, { cwd: staging, env, stdio: ["ignore", 2, 2], shell: windows });
  let problem;
  if (run.error || run.status !== 0) problem = run.error ? run.error.message : `npm install exited with ${run.status}`;
  else if (hashOf(staging, name) !== pin.integrity) problem = "its hash is not the pinned one";
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
/** The hash npm checked the package's tarball against, as npm recorded it. */
function hashOf(dir, name) {
  const lock = join(dir, "node_modules", ".package-lock.json");
  return existsSync(lock)
    ? JSON.parse(readFileSync(lock, "utf8")).packages[`node_modules/${name}`].integrity
    : undefined;
}

// 1. Node.js
if (atLeast(parse(process.version), minNode) && atLeast(parse(process.versions.uv), minUv)) {
  if (versionOf("node") !== process.version) prepend(dirname(process.execPath));
} else {
  const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
  const dir = join(root, ".toolchain", "node", "node_modules", name, "bin");
  const file = join(dir, windows ? "node.exe" : "node");
  const pin = pins.node[name];
  if (!pin || !existsSync(file) || versionOf(file) !== `v${pin.version}`) {
    fetchTool("node", name, `Node.js ${manifest.engines.node} is needed and this is ${process.version}`);
    if (!versionOf(file))
      fail(
        `the fetched ${file} does not run on this system: install Node.js ${manifest.engines.node} and run this again`,
      );
  }
  prepend(dir);
}

// 2. pnpm: a release of the pinned major, not older than the pin, will do
const pnpmName = `@pnpm/exe.${process.platform}-${process.arch}`;
const pnpmPin = /^pnpm@([^+]+)/.exec(manifest.packageManager)[1];
const onPath = versionOf("pnpm");
if (!onPath || parse(onPath)[0] !== parse(pnpmPin)[0] || !atLeast(parse(onPath), parse(pnpmPin))) {
  const dir = join(root, ".toolchain", "pnpm", "node_modules", pnpmName);
  const file = join(dir, windows ? "pnpm.exe" : "pnpm");
  if (!existsSync(file) || versionOf(file) !== pnpmPin) {
    fetchTool("pnpm", pnpmName, `pnpm ${pnpmPin} is needed and ${onPath ? `this is ${onPath}` : "there is none"}`);
  }
  prepend(dir);
}

// 3. install, build, run
function step(file, args, cwd, stdio) {
  const run = spawnSync(file, args, { cwd: cwd || root, env, stdio: stdio || "inherit", shell: windows });
  if (run.error) fail(`${file}: ${run.error.message}`);
  const status = run.signal ? 128 + (constants.signals[run.signal] || 0) : run.status;
  if (status !== 0) process.exit(status);
}
// stdout belongs to the program that is started: preparation talks on stderr
function install() {
  if (!existsSync(join(root, "node_modules"))) say("installing the dependencies");
  step("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], root, ["inherit", 2, 2]);
}
function build() {
  const args = ["exec", "turbo", "run", "build", "--output-logs=errors-only"];
  const run = spawnSync("pnpm", args, { cwd: root, env, stdio: ["inherit", 2, 2], shell: windows });
  if (run.status === 0) return;
  if (existsSync(join(root, ".git"))) process.exit(run.status || 1);
  // turbo gives up where a parent folder holds a broken .git; the plain topological build does not
  step("pnpm", ["--recursive", "run", "build"], root, ["inherit", 2, 2]);
}

const task = process.argv[2];
const rest = process.argv.slice(3);
if (task === "start") {
  install();
  build();
  step(
    "node",
    [join(root, "apps", "cli", "dist", "bundle", "unroll.mjs")].concat(rest.length ? rest : ["--help"]),
    process.env.INIT_CWD,
  );
} else if (task === "test") {
  install();
  build();
  step("pnpm", ["exec", "vitest", "run"].concat(rest));
} else if (task === "pnpm") {
  step("pnpm", rest, process.env.INIT_CWD);
} else {
  fail("usage: node tooling/bootstrap.mjs start|test|pnpm [args]");
}
