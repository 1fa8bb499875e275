/** Why a store in PostgreSQL cannot be used. */
export type PostgresStoreErrorCode =
  /** The server does not answer, or refuses the login. */
  | "store_unreachable"
  /** A newer version of unroll has changed the tables. */
  | "store_newer";

/** An error of the whole store; no message has a password. */
export class PostgresStoreError extends Error {
  override readonly name = "PostgresStoreError";
  readonly code: PostgresStoreErrorCode;

  constructor(code: PostgresStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
