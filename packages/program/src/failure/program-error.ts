/** Bad input that a person can mend: shown as one sentence, without a stack. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly code: "usage" | "input";

  constructor(code: "usage" | "input", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
