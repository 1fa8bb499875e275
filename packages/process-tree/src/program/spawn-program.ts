import {
  type ChildProcess,
  type ChildProcessByStdio,
  execFile,
  spawn,
  type SpawnOptions,
  type SpawnOptionsWithStdioTuple,
} from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ProgramFile } from "./parse-program-file.ts";

/**
 * Node's `spawn` for a program that was found. The caller owns the process: nothing ends it
 * automatically.
 */
export function spawnProgram(
  file: ProgramFile,
  args: readonly string[],
  options: SpawnOptionsWithStdioTuple<"pipe", "pipe", "ignore">,
): ChildProcessByStdio<Writable, Readable, null>;
export function spawnProgram(
  file: ProgramFile,
  args: readonly string[],
  options: SpawnOptionsWithStdioTuple<"pipe", "ignore", "ignore">,
): ChildProcessByStdio<Writable, null, null>;
export function spawnProgram(
  file: ProgramFile,
  args: readonly string[],
  options: SpawnOptionsWithStdioTuple<"ignore", "pipe", "ignore">,
): ChildProcessByStdio<null, Readable, null>;
export function spawnProgram(file: ProgramFile, args: readonly string[], options: SpawnOptions): ChildProcess;
export function spawnProgram(file: ProgramFile, args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(file, args, options);
}

export interface ProgramRun extends Pick<SpawnOptions, "cwd" | "env" | "timeout"> {
  /** Ends the process. Absent: it runs to its end. */
  readonly signal?: AbortSignal;
  /** The limit for each output; a program that writes more is stopped. */
  readonly maxBytes: number;
}

export interface ProgramResult {
  /** Null: it could not be started, or was stopped. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Runs a program to its end. Never rejects. */
export function runProgram(file: ProgramFile, args: readonly string[], options: ProgramRun): Promise<ProgramResult> {
  const { maxBytes: maxBuffer, ...rest } = options;
  return new Promise((resolve) => {
    const child = execFile(file, args, { ...rest, maxBuffer, encoding: "buffer" }, (_error, stdout, stderr) => {
      const code = child.exitCode;
      resolve({ code: code !== null && code < 0 ? null : code, stdout, stderr }); // negative codes are Node's own errors
    });
  });
}
