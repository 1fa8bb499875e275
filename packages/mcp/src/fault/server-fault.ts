import type { McpFailureCode } from "@unroll/protocol";

/** Why a server, or one request to it, failed. It becomes an `McpFailure` where it leaves the package. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
  readonly code: McpFailureCode;

  constructor(code: McpFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Whether the server has forgotten the connection (status 404; some servers send 400), so that the
 * request did not run.
 */
export function isForgotten({ cause }: ServerFault): boolean {
  if (!(cause instanceof Error) || !("status" in cause)) return false;
  return cause.status === 404 || (cause.status === 400 && /\bsession\b/i.test(cause.message));
}
