import { forEach } from "@unroll/flow";
import type { CommandOutcome, BackgroundCommandSpec } from "@unroll/protocol";
import type { ShellRunner } from "./shell-runner.ts";

/** The result of a script of ours. */
export interface ScriptRun {
  readonly outcome: CommandOutcome;
  /** Its output on stdout, or in its terminal. */
  readonly text: string;
  /** There was more, which is lost. */
  readonly isCut: boolean;
  /** The sandbox's notices, in lines: that it put something aside. */
  readonly notices: readonly string[];
}

const maxTextLength = 8 * 1024 * 1024;

/** Runs a script like a command: in the same sandbox, and in a terminal if the command has one. */
export async function runScript(
  runner: ShellRunner,
  spec: BackgroundCommandSpec,
  signal: AbortSignal,
): Promise<ScriptRun> {
  const pieces: string[] = [];
  const notices: string[] = [];
  let length = 0;
  const outcome = await forEach(run(runner, spec, signal), ({ stream, text }) => {
    if (stream === "stderr") notices.push(...text.split("\n").filter((line) => line.startsWith("unroll: ")));
    if (stream === "stdout" && length <= maxTextLength) pieces.push(text);
    length += text.length;
  });
  return { outcome, text: pieces.join(""), isCut: length > maxTextLength, notices };
}

async function* run(
  runner: ShellRunner,
  spec: BackgroundCommandSpec,
  signal: AbortSignal,
): ReturnType<ShellRunner["run"]> {
  if (spec.terminal === undefined) return yield* runner.run(spec, signal);
  const start = await runner.startBackgroundCommand(spec, signal);
  return start.type === "opened" ? yield* start.session.output : start;
}
