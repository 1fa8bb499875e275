import {
  isSpecType,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type RequestId,
} from "@modelcontextprotocol/server";
import { findGreetingFault } from "./find-greeting-fault.ts";

/** How many requests may be under way. */
const maxOpenRequests = 256;

interface MessageFault {
  readonly code: number;
  readonly message: string;
}

/** Decides which messages may come when, because the SDK accepts everything at any time. */
export interface MessageGate {
  /** Null: it may run, and counts as running from now on. */
  enter(request: JSONRPCRequest): MessageFault | null;
  note(notification: JSONRPCNotification): void;
  /** It was answered. */
  leave(id: RequestId): void;
  /** Resolves when none is under way. */
  answered(): Promise<void>;
}

export function createGate(): MessageGate {
  const open = new Set<RequestId>();
  let isInitialized = false;
  let waiting: PromiseWithResolvers<void> | null = null;

  function leave(id: RequestId): void {
    open.delete(id);
    if (open.size === 0) waiting?.resolve();
  }

  function findFault(request: JSONRPCRequest): MessageFault | null {
    const { id, method } = request;
    if (method === "initialize" && isInitialized)
      return { code: -32600, message: "initialize: it was sent already, and counts once." };
    const fault = isInitialized ? null : findGreetingFault(request);
    if (fault !== null) return { code: -32600, message: fault };
    if (open.has(id)) return { code: -32600, message: `id: a request ${JSON.stringify(id)} is under way already.` };
    if (open.size < maxOpenRequests) return null;
    return { code: -32000, message: `${maxOpenRequests} requests are under way already: send it again later.` };
  }

  return {
    enter(request) {
      const fault = findFault(request);
      if (fault !== null) return fault;
      isInitialized ||= request.method === "initialize";
      open.add(request.id);
      return null;
    },
    note(notification) {
      if (!isSpecType.CancelledNotification(notification)) return;
      const { requestId } = notification.params;
      if (requestId !== undefined) leave(requestId); // it gets no answer
    },
    leave,
    async answered() {
      if (open.size === 0) return;
      waiting ??= Promise.withResolvers();
      await waiting.promise;
    },
  };
}
