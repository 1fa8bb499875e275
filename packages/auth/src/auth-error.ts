export type AuthErrorCode =
  /** What is kept cannot be read, or cannot be written. */
  | "store_unusable"
  /** There is no system keyring, or it refuses. */
  | "keyring_unavailable"
  /** The server does not renew the login any more: a person has to log in again. */
  | "login_ended"
  /** The login that is kept by now is of another kind than the one that requests began with. */
  | "login_changed"
  /** A server of the login could not be reached, or could not answer. */
  | "server_unreachable"
  /** A server of the login said what it should not, or named a host that the config does not. */
  | "server_refused"
  /** The command that gives the key failed. */
  | "command_failed";

export interface AuthErrorOptions extends ErrorOptions {
  /** Whether the same may go well a little later. Absent: no. */
  readonly retryable?: boolean;
}

/** What a person can mend; the message says where and how, and never holds a credential. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly code: AuthErrorCode;
  readonly retryable: boolean;

  constructor(code: AuthErrorCode, message: string, { retryable = false, ...options }: AuthErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryable = retryable;
  }
}
