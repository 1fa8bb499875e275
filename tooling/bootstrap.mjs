#!/usr/bin/env node
// One entry point for a fresh clone:   npm start [-- args]   |   npm test [-- args]   |   npm run bench
//
// Deliberately plain, old JavaScript: it has to run on whatever Node the machine has (14.18+).
// It finds, or fetches from the npm registry only, a Node.js new enough for this project and the
// pinned pnpm; then it installs, builds and runs. Outside the checkout it writes nothing but the
// ordinary npm and pnpm caches; inside it, only ignored folders (.toolchain, node_modules, dist, .turbo).
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addSystemPackages } from "./bootstrap/system-packages.mjs";
import { provideNode, providePnpm } from "./bootstrap/toolchain.mjs";
import { cleanEnvironment } from "./bootstrap/environment.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
const invocationFolder = process.env.INIT_CWD || process.cwd();
const workshop = {
  root,
  manifest: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  pins: JSON.parse(readFileSync(join(root, "tooling", "toolchain.json"), "utf8")),
  env: cleanEnvironment(process.env),
};
const toStderr = ["inherit", 2, 2]; // stdout belongs to the program that is started: preparation talks on stderr

const tasks = {
  start(args) {
    prepare(["bubblewrap", "git"]);
    become("sh", [join(root, "bin", "unroll"), ...(args.length ? args : ["demo"])], { cwd: invocationFolder });
  },
  test(args) {
    prepare(["bubblewrap", "git", "tmux"]);
    run("pnpm", ["run", "--silent", "check"], { stdio: toStderr });
    become("pnpm", ["exec", "vitest", "run", ...args]);
  },
  bench(args) {
    prepare(["bubblewrap", "git"]);
    become("node", ["--conditions=@unroll/source", join(root, "bench", "src", "main.ts"), ...args], {
      cwd: invocationFolder,
    });
  },
  pnpm(args) {
    run("pnpm", args, { cwd: invocationFolder });
  },
};

const [task, ...rest] = process.argv.slice(2);
if (!Object.prototype.hasOwnProperty.call(tasks, task)) {
  process.stderr.write("usage: node tooling/bootstrap.mjs start|test|bench|pnpm [args]\n");
  process.exit(2);
}
provideNode(workshop);
providePnpm(workshop);
tasks[task](rest);

/** Everything that a run needs: system packages where we may add them, dependencies, build. */
function prepare(systemPackages) {
  addSystemPackages(systemPackages, workshop.env);
  run("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], { stdio: toStderr });
  const built = statusOf("pnpm", ["run", "--silent", "build"], { stdio: toStderr });
  if (built === 0) return;
  if (existsSync(join(root, ".git"))) process.exit(built);
  // turbo gives up where a parent folder holds a broken .git; the plain topological build does not
  run("pnpm", ["--recursive", "run", "build"], { stdio: toStderr });
}

function run(file, args, options) {
  const status = statusOf(file, args, options);
  if (status !== 0) process.exit(status);
}

function statusOf(file, args, options) {
  const child = spawnSync(file, args, { cwd: root, env: workshop.env, stdio: "inherit", shell: windows, ...options });
  if (child.error) {
    process.stderr.write(`[bootstrap] ${file}: ${child.error.message}\n`);
    return 1;
  }
  return child.signal ? 128 + (constants.signals[child.signal] || 0) : child.status;
}

/** The last step: what stops us stops it, and its end is ours. */
function become(file, args, options) {
  const child = spawn(file, args, { cwd: root, env: workshop.env, stdio: "inherit", shell: windows, ...options });
  // a terminal sends ^C to both of us; from anywhere else only we get it
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => (process.stdin.isTTY && signal !== "SIGTERM" ? undefined : child.kill(signal)));
  }
  child.on("error", (error) => {
    process.stderr.write(`[bootstrap] ${file}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("close", (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] || 0) : code));
}
