import type { McpFailureCode } from "@unroll/protocol";

/** Why a server cannot be used, or not for this request; becomes an `McpFailure` at the edge of the package. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";
  readonly code: McpFailureCode;

  constructor(code: McpFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether the server does not know the connection any more (status 404; some servers say 400): the request was not run. */
export function isForgotten({ cause }: ServerFault): boolean {
  if (!(cause instanceof Error) || !("status" in cause)) return false;
  return cause.status === 404 || (cause.status === 400 && /\bsession\b/i.test(cause.message));
}
