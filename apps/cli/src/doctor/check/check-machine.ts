import { openSandbox } from "@unroll/harness";
import { openProgramStore, type ProcessIo } from "@unroll/program";
import { version } from "../../version.ts";
import { type Finding, toFinding } from "../finding.ts";
import type { CommandRun } from "../../run-command.ts";
import type { ConfiguredRun } from "./configured-run.ts";

/** A Node.js that is too old ends every start before this: see `main.ts`. */
export async function checkNode({ io }: Pick<CommandRun, "io">): Promise<readonly Finding[]> {
  return [toFinding("node", "ok", `Node.js ${io.nodeVersion} on ${io.platform}, unroll ${version}.`)];
}

/** Narrower than this, what is asked and shown is hard to read. */
const fewestColumns = 40;

/** Looks at what `unroll` at a terminal would have to do with. */
export async function checkTerminal({ io }: Pick<CommandRun, "io">): Promise<readonly Finding[]> {
  const { stdin, stdout, stderr, env } = io;
  const screen = [stdout, stderr].find(({ isTerminal }) => isTerminal);
  if (stdin.kind !== "terminal" || screen === undefined) {
    const missing = [...(stdin.kind === "terminal" ? [] : ["stdin"]), ...(screen === undefined ? ["stdout"] : [])];
    return [toFinding("terminal", "skipped", `No terminal at ${missing.join(" and ")}. unroll exec needs none.`)];
  }
  const size = screen.size();
  const kind = env["TERM"] ? `, TERM is ${env["TERM"]}` : "";
  const message = `${size === null ? "Unknown size" : `${size.columns} columns, ${size.rows} rows`}${kind}.`;
  return size !== null && size.columns < fewestColumns
    ? [{ ...toFinding("terminal", "warning", message), remedy: `Make it at least ${fewestColumns} columns wide.` }]
    : [toFinding("terminal", "ok", message)];
}

/** Writes and locks a file where threads are saved. `codexHome`: absolute. */
export async function checkThreads(codexHome: string, io: ProcessIo): Promise<readonly Finding[]> {
  const { place, warning } = await (await openProgramStore({ codexHome }, io)).upkeep.check();
  return warning === null
    ? [toFinding("threads", "ok", `Threads are saved in ${place}; writing and locking work.`)]
    : [toFinding("threads", "warning", warning)];
}

/** Runs a harmless command in the sandbox once, and says what the sandbox enforces. */
export async function checkSandbox({ config, host }: ConfiguredRun): Promise<readonly Finding[]> {
  await using sandbox = await openSandbox(config, host);
  const { mode } = sandbox.policy;
  const warnings = sandbox.warnings.map((warning) => toFinding("sandbox", "warning", warning));
  if (mode === "danger-full-access") {
    return [toFinding("sandbox", "warning", `${mode}: no sandbox, so commands can do whatever you can.`), ...warnings];
  }
  const { backend, enforces, refusal, remedy: fullRemedy } = await sandbox.explain();
  return [toSandboxFinding(), ...warnings];

  function toSandboxFinding(): Finding {
    if (refusal !== null) return toFinding("sandbox", "failed", `The model's commands would be refused: ${refusal}`);
    const message = `${mode}, by ${backend}. ${enforces.join(" ")}`;
    if (backend !== "landlock") return toFinding("sandbox", "ok", message);
    const remedy = `${fullRemedy ?? ""} unroll sandbox --explain lists the gaps.`.trimStart();
    return {
      ...toFinding("sandbox", "warning", `${message} This is the weaker sandbox, which your config allows.`),
      remedy,
    };
  }
}
