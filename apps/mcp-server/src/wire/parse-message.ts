import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { describeJsonFault } from "@unroll/text";

type ParsedLine =
  | { readonly type: "message"; readonly message: JSONRPCMessage }
  /** `id`: as far as one could be read. `code`: of JSON-RPC 2.0. */
  | {
      readonly type: "broken";
      readonly id: string | number | null;
      readonly code: -32700 | -32600;
      readonly fault: string;
    };

/** One line of a client. */
export function parseMessage(line: string): ParsedLine {
  const fault = describeJsonFault(line);
  if (fault !== null) return { type: "broken", id: null, code: -32700, fault: `The line is not JSON: ${fault}.` };
  const value: unknown = JSON.parse(line);
  const message = toMessage(value);
  if (message !== null) return { type: "message", message };
  const id: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "id") : null;
  const isId = typeof id === "string" || typeof id === "number";
  return { type: "broken", id: isId ? id : null, code: -32600, fault: describeShape(value) };
}

function toMessage(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

function describeShape(value: unknown): string {
  if (Array.isArray(value)) return "One message a line is expected, no batch.";
  if (typeof value !== "object" || value === null) return "A message is a JSON object.";
  if (Reflect.get(value, "jsonrpc") !== "2.0") return 'jsonrpc: "2.0" is expected.';
  return "It is not a request, notification or response of JSON-RPC 2.0.";
}
