import type { TurnError } from "@unroll/protocol";
import { describeSystemError, describeThrown, systemErrorCode, toShownText } from "@unroll/text";
import { foldOutput } from "../io/fold-output.ts";
import type { ProcessIo } from "../io/process-io.ts";
import { exitCodes, toTurnExitCode } from "./exit-codes.ts";

/** The message for the user about an error that was thrown. */
export interface ProgramFailure {
  readonly error: TurnError;
  readonly exitCode: number;
  /** Only for a bug of ours, to be reported; else null. */
  readonly stack: string | null;
}

/** Distinguishes mistakes that the user can fix, refusals of the machine, interruptions and bugs of ours. */
export function toProgramFailure(error: unknown): ProgramFailure {
  if (error instanceof Error && inputErrors.has(error.name)) {
    const code = "code" in error ? String(error.code) : "input";
    return { error: { code, message: error.message }, exitCode: toInputExitCode(error, code), stack: null };
  }
  if (error instanceof Error && error.name === "AbortError") {
    const message = "The run was interrupted before its turn started.";
    return { error: { code: "interrupted", message }, exitCode: exitCodes.failed, stack: null };
  }
  return toSystemFailure(error) ?? toBug(error);
}

function toInputExitCode(error: Error, code: string): number {
  if (code === "output") return exitCodes.failed;
  if (code === "invalid_rules") return exitCodes.config;
  if (error.name === "ConfigError") return isOfFile(error, code) ? exitCodes.config : exitCodes.usage;
  if (error.name === "AuthError") return exitCodes.auth;
  const exitCode = toTurnExitCode(code);
  return exitCode === exitCodes.failed ? exitCodes.usage : exitCode;
}

/** Whether the file's contents are wrong, rather than the command line or the operation on the file. */
function isOfFile(error: Error, code: string): boolean {
  return Reflect.get(error, "file") !== undefined && !["edit_impossible", "file_locked"].includes(code);
}

/**
 * Errors that the user can fix. By name: to know the classes, all that throws them would have to be loaded at every
 * start.
 */
const inputErrors: ReadonlySet<string> = new Set([
  "ApprovalError",
  "AuthError",
  "BatchError",
  "ProgramError",
  "ConfigError",
  "ThreadHostError",
  "HarnessError",
  "PostgresStoreError",
  "PromptError",
  "QueueError",
  "ScriptedModelError",
  "ThreadStoreError",
]);

/** Says a failure on stderr and gives its exit code. */
export function reportFailure(thrown: unknown, { stderr }: Pick<ProcessIo, "stderr">): number {
  const { error, exitCode, stack } = toProgramFailure(thrown);
  const told = foldOutput(`unroll: ${error.message}\n`, stderr);
  stderr.stream.write(toShownText(`${told}${stack === null ? "" : `${stack}\n`}`));
  return exitCode;
}

/** An error of the system, with the operation that it refused. An error of Node.js itself (`ERR_…`) is our fault. */
function toSystemFailure(thrown: unknown): ProgramFailure | null {
  const error = unwrap(thrown);
  const code = systemErrorCode(error);
  if (code === null || code.startsWith("ERR_") || !(error instanceof Error)) return null;
  const call = "syscall" in error ? ` (${String(error.syscall)})` : "";
  const places = ["path", "dest"].flatMap((key) => (key in error ? [String(Reflect.get(error, key))] : []));
  const where = places.length === 0 ? "The system refused an operation that unroll needs" : places.join(" to ");
  const remedy = remedies[code] ?? "";
  const message = `${where}: ${describeSystemError(error)}${call}.${remedy}`;
  return { error: { code: "system_error", message }, exitCode: exitCodes.failed, stack: null };
}

/** Some functions of Node.js (`os.userInfo`) put what the system said into another error. */
function unwrap(error: unknown): unknown {
  if (!(error instanceof Error) || !("info" in error) || typeof error.info !== "object") return error;
  return Object.assign(new Error(error.message), error.info);
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: " Free space there, or use another folder (HOME, CODEX_HOME, TMPDIR).",
  EDQUOT: " Free space there, or use another folder (HOME, CODEX_HOME, TMPDIR).",
  EACCES: " Use a folder that you can write (HOME, CODEX_HOME, TMPDIR), or change its permissions.",
  EROFS: " Use a writable folder (HOME, CODEX_HOME, TMPDIR).",
};

function toBug(error: unknown): ProgramFailure {
  const message = describeThrown(error);
  return {
    error: { code: "internal_error", message: `This is a bug in unroll: ${message}` },
    exitCode: exitCodes.failed,
    stack: error instanceof Error ? (error.stack ?? null) : null,
  };
}
