import type { Interruption } from "@unroll/program";
import type { ExecOutput } from "./output/exec-output.ts";

/** The signals that end a run, and its output. */
export interface ExecRun {
  readonly interruption: Interruption;
  readonly output: ExecOutput;
}
