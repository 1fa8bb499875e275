export type AuthErrorCode =
  /** The saved login cannot be read or written. */
  | "store_unusable"
  /** There is no system keyring, or it refuses. */
  | "keyring_unavailable"
  /** The server no longer renews the login: log in again. */
  | "login_ended"
  /** The saved login is now of another kind than the one that requests began with. */
  | "login_changed"
  /** A server of the login could not be reached, or could not respond. */
  | "server_unreachable"
  /** A server of the login sent an invalid response, or named a host that is not in the config. */
  | "server_refused"
  /** The command that prints the key failed. */
  | "command_failed";

export interface AuthErrorOptions extends ErrorOptions {
  /** Whether trying again a little later may work. Absent: no. */
  readonly retryable?: boolean;
}

/** An error that you can fix; the message says where and how, and never holds a credential. */
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
