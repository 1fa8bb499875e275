import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { describeThrown, shortenText, systemErrorCode } from "@unroll/text";
import { $ZodError, toDotPath } from "zod/v4/core";
import { ServerFault } from "./server-fault.ts";

/** How much of what a server says goes into a message. */
const maxDetailLength = 500;

/** What the SDK, fetch or a pipe threw, as one kind of error. */
export function toServerFault(error: unknown): ServerFault {
  if (error instanceof ServerFault) return error;
  if (error instanceof McpError) return fromRpcError(error);
  if (error instanceof StreamableHTTPError) return fromHttpError(error);
  if (error instanceof $ZodError) {
    const issue = error.issues[0];
    const where = issue ? ` at ${toDotPath(issue.path) || "its root"}: ${issue.message}` : "";
    return new ServerFault("invalid_answer", `its answer does not fit the protocol${where}`, { cause: error });
  }
  const cause = rootOf(error);
  if (cause instanceof ServerFault) return cause;
  const code = systemErrorCode(cause);
  if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED" || messageOf(cause) === "Not connected") {
    return new ServerFault("server_died", "it ended before it answered", { cause: error });
  }
  // What fetch throws where there is no answer.
  if (error instanceof TypeError)
    return new ServerFault("unreachable", `it cannot be reached: ${toDetail(messageOf(cause))}`, { cause: error });
  return new ServerFault("invalid_answer", `it cannot be used: ${toDetail(messageOf(cause))}`, { cause: error });
}

function fromRpcError(error: McpError): ServerFault {
  if (error.data instanceof ServerFault) return error.data;
  if (error.code === Number(ErrorCode.ConnectionClosed))
    return new ServerFault("server_died", "it ended before it answered", { cause: error });
  const message = error.message.replace(/^MCP error -?\d+: /, "");
  return new ServerFault("refused", `it refused the request: ${toDetail(message)} (code ${error.code})`, {
    cause: error,
  });
}

function fromHttpError(error: StreamableHTTPError): ServerFault {
  if (error.code === 401) return new ServerFault("login_needed", "it wants a login", { cause: error });
  const detail = toDetail(error.message.replace(/^Streamable HTTP error: (Error POSTing to endpoint: )?/, ""));
  const status = error.code === undefined || error.code < 0 ? "" : ` with status ${error.code}`;
  return new ServerFault("unreachable", `it answered${status}: ${detail}`, { cause: error });
}

/** What lies under "fetch failed". */
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
