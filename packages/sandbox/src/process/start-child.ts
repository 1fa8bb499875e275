import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import { MARKER_VARIABLE } from "./tree-members.ts";

/** A process to start: nothing is looked up or added any more but the program on `environment.PATH`. */
export interface ProcessLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Marks all its processes; unique to this launch. */
  readonly marker: string;
}

export type Child = ChildProcessByStdio<null, Readable, Readable>;

export type StartedChild =
  | { readonly type: "started"; readonly child: Child; readonly pid: number }
  | { readonly type: "failed"; readonly message: string };

/** In a session and group of its own, with nothing to read from stdin. */
export async function startChild(launch: ProcessLaunch): Promise<StartedChild> {
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.environment, [MARKER_VARIABLE]: launch.marker },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    if (child.pid !== undefined) return { type: "started", child, pid: child.pid };
    const failure: readonly unknown[] = await once(child, "error");
    return { type: "failed", message: explainFailure(launch, failure[0]) };
  } catch (error) {
    return { type: "failed", message: explainFailure(launch, error) };
  }
}

function explainFailure({ file, cwd }: ProcessLaunch, error: unknown): string {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    return `The working folder ${cwd} does not exist.`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return `There is no program ${file}, or its interpreter is missing.`;
    case "EACCES":
      return `${file} may not be executed: it is not executable, or a folder on the way to it is closed.`;
    case "E2BIG":
      return "The argument list is too long for the system. Put the data into a file, or pass it through a pipe.";
    default:
      return `${file} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
