// The tasks of tooling/bootstrap.mjs. Deliberately plain, old JavaScript: it has to run on whatever Node the machine has.
// It finds, or fetches from the npm registry only, a Node.js new enough for this project and the
// pinned pnpm; then it installs, builds and runs. Outside the checkout it writes nothing but the
// ordinary npm and pnpm caches; inside it, only ignored folders (.toolchain, node_modules, dist, .turbo).
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addSystemPackages } from "./system-packages.mjs";
import { cleanEnvironment } from "./environment.mjs";
import { reportFailures, runGates } from "./gates.mjs";
import { addedFolders, exportLine } from "./shell.mjs";
import { provideNode, providePnpm } from "./toolchain.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
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
  /** The gates run one by one beside the tests, which wait half of the time. The last word is vitest's, or a failed gate's. */
  async test(args) {
    prepare(["bubblewrap", "git", "tmux"]);
    const gates = runGates(workshop, { width: 1, shell: windows });
    const tests = await ending("pnpm", ["exec", "vitest", "run", ...args]);
    if (tests >= 128) process.exit(tests); // stopped: the gates are, too
    const failures = await gates;
    reportFailures(failures);
    process.exit(tests === 0 && failures.length > 0 ? 1 : tests);
  },
  /** The gates alone, on what is built. */
  async check() {
    const failures = await runGates(workshop, { width: 2, shell: windows });
    reportFailures(failures);
    process.exit(failures.length > 0 ? 1 : 0);
  },
  /** A shell with the pinned toolchain on PATH; without a terminal, only the line that does it: eval "$(npm run -s shell)". */
  shell() {
    const line = exportLine(addedFolders(process.env.PATH, workshop.env.PATH));
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      process.stdout.write(`${line}\n`);
      return;
    }
    process.stderr.write(`For a shell of your own:\n  ${line}\nThis one has it until you leave it (exit).\n`);
    become(process.env.SHELL || "sh", [], { cwd: invocationFolder });
  },
  bench(args) {
    prepare(["bubblewrap", "git"]);
    runSource(["bench", "src", "main.ts"], args);
  },
  /** Needs no build: it runs from the sources. */
  simulate(args) {
    run("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], { stdio: toStderr });
    runSource(["simulation", "src", "main.ts"], args);
  },
  fuzz(args) {
    run("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], { stdio: toStderr });
    runSource(["simulation", "src", "fuzz", "main.ts"], args);
  },
  soak(args) {
    prepare(["bubblewrap", "git"]);
    runSource(["simulation", "soak.mjs"], args);
  },
  /** In real terminal emulators, which `.ci/run` installs. */
  emulators(args) {
    prepare(["bubblewrap", "git"]);
    runSource(["conformance", "emulators", "run.mjs"], args);
  },
  /** Needs Redis and PostgreSQL, which `.ci/run` installs. */
  "queue-faults"(args) {
    prepare(["git"]);
    runSource(["conformance", "queue", "faults.mjs"], args);
  },
  /** Tarballs to install from a clone: nothing is on npm yet. */
  pack(args) {
    prepare([]);
    become("node", [join(root, "tooling", "release", "pack-for-install.mjs"), ...args], { cwd: invocationFolder });
  },
  /** The last step of the release workflow. */
  publish(args) {
    prepare([]);
    become("node", [join(root, "tooling", "release", "publish.mjs"), ...args]);
  },
  pnpm(args) {
    run("pnpm", args, { cwd: invocationFolder });
  },
};

const [task, ...rest] = process.argv.slice(2);
if (!Object.prototype.hasOwnProperty.call(tasks, task)) {
  process.stderr.write(
    "usage: node tooling/bootstrap.mjs start|test|check|bench|simulate|fuzz|soak|emulators|queue-faults|shell|pack|publish|pnpm [args]\n",
  );
  process.exit(2);
}
provideNode(workshop);
providePnpm(workshop);
tasks[task](rest);

function runSource(path, args) {
  become("node", ["--conditions=@unroll/source", join(root, ...path), ...args], { cwd: invocationFolder });
}

/** Everything that a run needs: system packages where we may add them, dependencies, build. */
function prepare(systemPackages) {
  addSystemPackages(systemPackages, workshop.env);
  run("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"], { stdio: toStderr });
  const built = statusOf("pnpm", ["run", "--silent", "build"], { stdio: toStderr });
  if (built === 0) return;
  if (existsSync(join(root, ".git"))) process.exit(built);
  // turbo gives up where a parent folder holds a broken .git: without its cache then
  run("pnpm", ["exec", "tsc", "-b"], { stdio: toStderr });
  run("pnpm", ["--recursive", "run", "bundle"], { stdio: toStderr });
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
  void ending(file, args, options).then((status) => process.exit(status));
}

/** Runs it to its end, passes signals on to it, and resolves to its exit code: 128 + N by signal N. */
function ending(file, args, options) {
  const child = spawn(file, args, { cwd: root, env: workshop.env, stdio: "inherit", shell: windows, ...options });
  // a terminal sends ^C to both of us; from anywhere else only we get it
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => (process.stdin.isTTY && signal !== "SIGTERM" ? undefined : child.kill(signal)));
  }
  return new Promise((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`[bootstrap] ${file}: ${error.message}\n`);
      resolve(1);
    });
    child.on("close", (code, signal) => resolve(signal ? 128 + (constants.signals[signal] || 0) : code));
  });
}
