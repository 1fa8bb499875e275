import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { describeServerFailure, describeThrown, shortenText, systemErrorCode } from "@unroll/text";
import { ServerFault } from "./server-fault.ts";

/** How much of a server's text goes into a message. */
const maxDetailLength = 500;

/** Converts an error of the SDK, fetch or a pipe. */
export function toServerFault(error: unknown): ServerFault {
  if (error instanceof ServerFault) return error;
  if (error instanceof ProtocolError) return fromRpcError(error);
  if (error instanceof SdkHttpError) return fromHttpError(error);
  const cause = rootOf(error);
  if (cause instanceof ServerFault) return cause;
  if (error instanceof UnauthorizedError) return new ServerFault("login_needed", "it wants a login", { cause: error });
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return new ServerFault("invalid_answer", `its answer does not fit the protocol${placeOf(error)}`, { cause: error });
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return new ServerFault("unreachable", `it answered: ${toDetail(error.message)}`, { cause: error });
  if (error instanceof InsufficientScopeError)
    return new ServerFault("login_needed", `it wants a login that may do more${scopeOf(error)}`, { cause: error });
  const code = systemErrorCode(cause);
  if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED" || isClosed(error, cause))
    return new ServerFault("server_died", "it ended before it answered", { cause: error });
  // The error that fetch throws when there is no response.
  if (error instanceof TypeError) {
    const reason = toDetail(describeServerFailure(cause)).replace(/\.$/, "");
    return new ServerFault("unreachable", `it cannot be reached: ${reason}`, { cause: error });
  }
  return new ServerFault("invalid_answer", `it cannot be used: ${toDetail(messageOf(cause))}`, { cause: error });
}

function scopeOf({ requiredScope }: InsufficientScopeError): string {
  return requiredScope === undefined ? "" : ` (${toDetail(requiredScope)})`;
}

function isClosed(error: unknown, cause: unknown): boolean {
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return true;
  return messageOf(cause) === "Not connected";
}

/** The part after `Invalid result for tools/list: `; begins with a colon, or is empty. */
function placeOf({ message }: SdkError): string {
  const detail = message.replace(/^Invalid result for [^:]+: /, "");
  return detail === "" ? "" : `: ${toDetail(detail)}`;
}

function fromRpcError(error: ProtocolError): ServerFault {
  if (error.data instanceof ServerFault) return error.data;
  const message = error.message.replace(/^MCP error -?\d+: /, "");
  return new ServerFault("refused", `it refused the request: ${toDetail(message)} (code ${error.code})`, {
    cause: error,
  });
}

function fromHttpError(error: SdkHttpError): ServerFault {
  if (error.status === 401) return new ServerFault("login_needed", "it wants a login", { cause: error });
  const detail = toDetail(error.message.replace(/^Error POSTing to endpoint: /, ""));
  return new ServerFault("unreachable", `it answered with status ${error.status}: ${detail}`, { cause: error });
}

/** The cause below "fetch failed". */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
}

function messageOf(error: unknown): string {
  return describeThrown(error) || (systemErrorCode(error) ?? (error instanceof Error ? error.name : ""));
}

function toDetail(text: string): string {
  return shortenText(text.replaceAll(/\s+/g, " ").trim(), maxDetailLength) || "no reason given";
}
