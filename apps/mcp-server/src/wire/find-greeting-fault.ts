import {
  CLIENT_CAPABILITIES_META_KEY,
  isSpecType,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";

/**
 * Why a request may not come before `initialize`; null: it may. Those of the revision 2026-07-28 say themselves who asks, and need no
 * greeting. It can ask a person only between two requests, and our turns ask while they run: where there is a person, a client is
 * sent to the greeting, which those that know both revisions go on with.
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
