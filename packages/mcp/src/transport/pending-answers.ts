import { type JSONRPCMessage, ProtocolErrorCode, type RequestId } from "@modelcontextprotocol/client";
import { ServerFault } from "../fault/server-fault.ts";

/** Our requests that wait for a response, as a transport sees them. */
export interface PendingAnswers {
  /** Call it with every message to the server. */
  sent(message: JSONRPCMessage): void;
  /** Call it with every message from the server. */
  received(message: JSONRPCMessage): void;
  /** Responses in the server's place, to one request or (null) to all that have none yet. */
  fail(fault: ServerFault, id: RequestId | null): readonly JSONRPCMessage[];
}

/** `onStray` is called for a response to a request that we never made. */
export function createPendingAnswers(onStray: () => void): PendingAnswers {
  const ids = new Set<RequestId>();
  return {
    sent(message) {
      if ("method" in message && "id" in message) ids.add(message.id);
    },
    received(message) {
      if ("method" in message || message.id === undefined) return;
      if (!ids.delete(message.id) && !isOurs(message)) onStray();
    },
    fail(fault, id) {
      const failed = [...ids].filter((each) => id === null || each === id);
      for (const each of failed) ids.delete(each);
      return failed.map((each) => toErrorAnswer(each, fault));
    },
  };
}

function isOurs(message: JSONRPCMessage): boolean {
  return "error" in message && message.error.data instanceof ServerFault;
}

/** Carries the fault itself, which distinguishes it from an error of the server. */
function toErrorAnswer(id: RequestId, fault: ServerFault): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.InternalError, message: fault.message, data: fault } };
}
