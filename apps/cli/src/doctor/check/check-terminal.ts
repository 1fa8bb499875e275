import { type Finding, toFinding } from "../finding.ts";
import type { DoctorRun } from "./doctor-run.ts";

/** Narrower than this, what is asked and shown is hard to read. */
const fewestColumns = 40;

/** Looks at what `unroll` at a terminal would have to do with. */
export async function checkTerminal({ io }: Pick<DoctorRun, "io">): Promise<readonly Finding[]> {
  const { stdin, stdout, stderr, env } = io;
  const screen = [stdout, stderr].find(({ isTerminal }) => isTerminal);
  if (stdin.kind !== "terminal" || screen === undefined) {
    const missing = [...(stdin.kind === "terminal" ? [] : ["stdin"]), ...(screen === undefined ? ["stdout"] : [])];
    return [toFinding("terminal", "skipped", `There is none at ${missing.join(" and ")}; unroll exec needs none.`)];
  }
  const size = screen.size();
  const kind = env["TERM"] ? `, TERM is ${env["TERM"]}` : "";
  const message = `${size === null ? "Of unknown size" : `${size.columns} columns, ${size.rows} rows`}${kind}.`;
  return size !== null && size.columns < fewestColumns
    ? [{ ...toFinding("terminal", "warning", message), remedy: `Make it ${fewestColumns} columns wide or more.` }]
    : [toFinding("terminal", "ok", message)];
}
