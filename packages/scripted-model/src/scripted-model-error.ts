/** `script_unreadable`: a file of the script; `script_invalid`: its contents; `listen_failed`: the port. */
export type ScriptedModelErrorCode = "script_unreadable" | "script_invalid" | "listen_failed";

/** A script cannot be used, or a port is not available. The message says where, and what was expected. */
export class ScriptedModelError extends Error {
  override readonly name = "ScriptedModelError";
  readonly code: ScriptedModelErrorCode;
  readonly retryable = false;

  constructor(code: ScriptedModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
