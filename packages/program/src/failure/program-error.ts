/** What a person can mend: shown as one sentence, without a stack. `output`: the machine did not take what was to be written. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly code: "usage" | "input" | "output";

  constructor(code: "usage" | "input" | "output", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
