import { join } from "node:path";
import { isFile, kindOf, resolveIfAny } from "@unroll/files";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { isExecutableFile } from "../program/find-system-program.ts";
import type { ProcessLaunch } from "./process-launch.ts";

/** Why nothing was started. */
export interface SpawnFailure {
  readonly type: "failed";
  readonly reason: "folder_missing" | "program_missing" | "not_executable" | "arguments_too_long" | "other";
  /** One or two sentences: what happened and, if possible, what to do. */
  readonly message: string;
}

/** Explains an error of `spawn`. */
export function toSpawnFailure(launch: ProcessLaunch, error: unknown): SpawnFailure {
  const { file, cwd } = launch;
  if (kindOf(resolveIfAny(cwd) ?? cwd) !== "folder")
    return fail("folder_missing", `The working folder ${cwd} does not exist.`);
  switch (systemErrorCode(error) ?? "") {
    case "ENOENT":
      return fail("program_missing", explainMissing(file));
    case "EACCES":
      // The system reports this error too if one folder of PATH is unreadable, whatever the others
      // hold.
      if (!file.includes("/") && !isOnPath(file, launch.environment["PATH"] ?? ""))
        return fail("program_missing", explainMissing(file));
      return fail(
        "not_executable",
        `${file} may not be executed: it is not executable, or a folder on the way to it is closed.`,
      );
    case "E2BIG":
      return fail(
        "arguments_too_long",
        "The argument list is too long for the system. Put the data into a file, or pass it through a pipe.",
      );
    default:
      return fail("other", `${file} could not be started: ${describeSystemError(error)}`);
  }
}

function fail(reason: SpawnFailure["reason"], message: string): SpawnFailure {
  return { type: "failed", reason, message };
}

function explainMissing(file: string): string {
  return `There is no program ${file}, or its interpreter is missing.`;
}

function isOnPath(name: string, path: string): boolean {
  return listPlaces(name, path).some(isFile);
}

/** Whether a program of that name or path exists and may be executed. */
export function isProgram(file: string, path: string): boolean {
  return (file.includes("/") ? [file] : listPlaces(file, path)).some(isExecutableFile);
}

function listPlaces(name: string, path: string): readonly string[] {
  return path.split(":").flatMap((folder) => (folder === "" ? [] : join(folder, name)));
}
