import { type EvaluatedRun, parseResults } from "@unroll/batch";
import { ProgramError, readNamedFile } from "@unroll/program";
import { compareRuns, renderComparison } from "@unroll/report";
import type { CommandRun } from "../run-command.ts";

interface CompareFlags {
  /** Files. */
  readonly a: string;
  readonly b: string;
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function compareResults({ a, b, json }: CompareFlags, run: CommandRun): Promise<number> {
  const { io, columns, printFolded, print, printJson } = run;
  const read = async (file: string): Promise<EvaluatedRun> =>
    parseResults(await readNamedFile({ flag: "eval compare", file }, io.cwd), file);
  const [runA, runB] = [await read(a), await read(b)];
  if (runA.isGraded !== runB.isGraded) {
    const [graded, other] = runA.isGraded ? [a, b] : [b, a];
    throw new ProgramError("usage", `Lines of ${graded} have solved, and those of ${other} do not. Grade both runs.`);
  }
  const comparison = compareRuns(runA.tasks, runB.tasks);
  if (comparison.tasks === 0) throw new ProgramError("usage", `${a} and ${b} have no task in common.`);
  if (json) {
    await printJson({ a, b, graded: runA.isGraded, ...comparison });
    return 0;
  }
  await printFolded(`A: ${a}`);
  await printFolded(`B: ${b}`);
  if (!runA.isGraded) await printFolded("No line has solved, so a task counts as solved if it completed.");
  for (const line of ["", ...renderComparison(comparison, columns)])
    await (line.startsWith(" ") ? print : printFolded)(line);
  return 0;
}
