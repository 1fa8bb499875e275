/** Rules cannot be used; the message says which file, line and column, and why. */
export class ApprovalError extends Error {
  override readonly name = "ApprovalError";
  /** A `*.rules` file that cannot be read or written, or has an error in it. */
  readonly code: "invalid_rules";

  constructor(code: ApprovalError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
