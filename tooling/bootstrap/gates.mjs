import { spawn } from "node:child_process";

/** Each is a script of package.json, the quick ones first. */
const gates = ["structure", "format:check", "knip", "typecheck", "boundaries", "lint"];

/** Checks that only CI runs: without the programs that it needs, such a check reports that and passes. */
const gatesOfCi = ["keyring"];

/**
 * Runs the gates, so many at a time, and keeps what each one writes until all are done: nothing is mixed. Resolves to
 * those that failed, with all that they wrote.
 */
export async function runGates(workshop, { width, shell }) {
  const all = workshop.env.CI ? [...gates, ...gatesOfCi] : gates;
  const waiting = all.slice();
  const failures = [];
  const work = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const { status, output } = await runGate(gate, workshop, shell);
      if (status !== 0) failures.push({ gate, output });
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return failures.sort((a, b) => all.indexOf(a.gate) - all.indexOf(b.gate));
}

export function reportFailures(failures) {
  for (const { gate, output } of failures)
    process.stderr.write(`\n[gate] ${gate} failed (pnpm ${gate}):\n${output.trimEnd()}\n`);
}

function runGate(gate, { root, env }, shell) {
  return new Promise((resolve) => {
    const child = spawn("pnpm", ["run", "--silent", gate], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell,
    });
    let output = "";
    const keep = (chunk) => (output += chunk);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
    const stop = () => child.kill();
    process.once("exit", stop);
    child.on("error", (error) => resolve({ status: 1, output: error.message }));
    child.on("close", (code) => {
      process.removeListener("exit", stop);
      resolve({ status: code === null ? 1 : code, output });
    });
  });
}
