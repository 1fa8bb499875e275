import {
  CLIENT_CAPABILITIES_META_KEY,
  isSpecType,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";

/**
 * Why a request may not come before `initialize`; null: it may. Requests of the revision 2026-07-28 name their client
 * themselves, and need no greeting. It can ask a person only between two requests, but our turns ask while they run. If
 * a person can answer, an error asks the client to greet first; clients that know both revisions then continue that
 * way.
 */
export function findGreetingFault({ method, params }: JSONRPCRequest): string | null {
  if (method === "initialize" || method === "ping") return null;
  const meta = params?._meta;
  if (meta?.[PROTOCOL_VERSION_META_KEY] === undefined) return `${method}: initialize comes first.`;
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  if (isSpecType.ClientCapabilities(capabilities) && capabilities.elicitation !== undefined)
    return `${method}: initialize must come first if the user can be asked (elicitation).`;
  return method === "subscriptions/listen" ? `${method}: nothing here changes.` : null;
}
