import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { findRestraint } from "@unroll/protocol";
import { describeRestraint } from "@unroll/thread-host/wire";

/**
 * Why a call with a limit beside its arguments is refused; null: it has none. The SDK drops such members before a tool
 * sees them. The tool itself looks at its arguments.
 */
export function findLimitFault({ method, params }: JSONRPCRequest): string | null {
  if (method !== "tools/call") return null;
  const beside = { ...params, arguments: null };
  const path = findRestraint(beside);
  return path === null ? null : `tools/call: ${describeRestraint(path, beside)}`;
}
