/**
 * An error that the user can fix: shown as one sentence, without a stack. `output`: the machine did not accept the
 * output. `pull_failed`: a server on this machine could not fetch a model.
 */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly code: "usage" | "input" | "output" | "pull_failed";

  constructor(code: ProgramError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
