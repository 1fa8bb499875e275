import { ConfigError } from "@unroll/config";
import { HarnessError } from "@unroll/harness";
import { PromptError } from "@unroll/prompt";
import type { TurnError } from "@unroll/protocol";

/** Bad input that a person can mend: shown as one sentence, without a stack. */
export class ExecError extends Error {
  override readonly name = "ExecError";
  readonly code: "usage" | "input";

  constructor(code: "usage" | "input", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What a person is told of something that was thrown. */
export interface ExecFailure {
  readonly error: TurnError;
  readonly exitCode: number;
  /** Only for a bug of ours, to be reported. */
  readonly stack?: string;
}

export function toExecFailure(error: unknown): ExecFailure {
  const isInput = [ExecError, ConfigError, HarnessError, PromptError].some((kind) => error instanceof kind);
  if (isInput && error instanceof Error) {
    const code = "code" in error ? String(error.code) : "input";
    return { error: { code, message: error.message }, exitCode: 2 };
  }
  if (error instanceof Error && error.name === "AbortError") {
    return { error: { code: "interrupted", message: "The run was interrupted before its turn began." }, exitCode: 1 };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    error: { code: "internal_error", message: `This is a bug in unroll: ${message}` },
    exitCode: 1,
    ...(error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {}),
  };
}
