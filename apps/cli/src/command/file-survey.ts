import { addConfigFlag, exitCodes } from "@unroll/program";
import { type FileFault, formatFault } from "@unroll/prompt";
import { countNouns } from "@unroll/text";
import type { Command } from "commander";
import type { CommandRun } from "../run-command.ts";

/** The flags of commands that look at files which people wrote for agents. */
export interface SurveyFlags {
  readonly json?: boolean;
  readonly cd?: string;
  readonly config?: readonly string[];
}

export function addSurveyFlags(command: Command): Command {
  return addConfigFlag(
    command.option("--json", "as JSON, one object per line").option("-C, --cd <dir>", "as a thread in this folder"),
  );
}

/** The files that are not used as they are. */
interface Survey {
  readonly faults: readonly FileFault[];
  readonly warnings: readonly string[];
  readonly untrusted: readonly string[];
}

interface Surveyed {
  readonly what: "skill" | "role";
  /** The page that explains them. */
  readonly page: string;
}

/** Says on stderr what is missing from a list. */
export function complainOfMissing(
  { faults, warnings, untrusted }: Survey,
  surveyed: Surveyed,
  { complain }: Pick<CommandRun, "complain">,
): void {
  for (const text of [...warnings, ...explainUntrusted(untrusted, surveyed)]) complain(text);
  const command = surveyed.what === "skill" ? "skills" : "agents";
  if (faults.length > 0) complain(`${countNouns(faults.length, "fault")}: see unroll ${command} check.`);
}

/** Prints each fault. `count`: how many are used. Returns the exit code: 0 there is none, 1 there are some. */
export async function printFaults(
  { faults, warnings, untrusted }: Survey,
  { count, json, ...surveyed }: Surveyed & { readonly count: number; readonly json: boolean },
  run: Pick<CommandRun, "print" | "printJson" | "complain">,
): Promise<number> {
  for (const fault of faults) {
    const { path, place, problem, isSkipped } = fault;
    const wire = { path, line: place?.line ?? null, column: place?.column ?? null, problem, skipped: isSkipped };
    await (json ? run.printJson(wire) : run.print(formatFault(fault, surveyed.what)));
  }
  for (const text of [...warnings, ...explainUntrusted(untrusted, surveyed)]) run.complain(text);
  const isFine = faults.length === 0 && warnings.length === 0;
  if (isFine && !json) await run.print(`No faults in ${countNouns(count, surveyed.what)}.`);
  return isFine ? exitCodes.completed : exitCodes.failed;
}

function explainUntrusted({ length }: readonly string[], { what, page }: Surveyed): readonly string[] {
  if (length === 0) return [];
  return [
    `This project is not trusted, so its ${countNouns(length, what)} ${length === 1 ? "is" : "are"} not read: set its trust_level in config.toml (${page}).`,
  ];
}
