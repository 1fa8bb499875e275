import { describeJsonFault, describeThrown } from "@unroll/text";
import { RequestFault } from "./request-fault.ts";

export type RequestId = string | number;

/** One line of a client. */
export type Message =
  | { readonly type: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly type: "notification"; readonly method: string }
  /** To one of our own requests; `fault`: it was refused. */
  | { readonly type: "response"; readonly id: RequestId; readonly result: unknown; readonly fault: string | null }
  /** No message. `id`: as far as one could be read. */
  | { readonly type: "broken"; readonly id: RequestId | null; readonly fault: RequestFault };

export function parseMessage(line: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return broken(null, "parse", `The line is not JSON: ${describeJsonFault(line) ?? "it ends too early"}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return broken(null, "invalidRequest", "A message is a JSON object.");
  const { id, method, params, result, error } = value as Record<string, unknown>;
  if (id !== undefined && !isId(id)) return broken(null, "invalidRequest", "id: a string or a number is expected.");
  if (method === undefined) {
    if (id === undefined) return broken(null, "invalidRequest", "method: it is missing.");
    return { type: "response", id, result, fault: error === undefined ? null : describeError(error) };
  }
  if (typeof method !== "string") return broken(id ?? null, "invalidRequest", "method: a string is expected.");
  return id === undefined ? { type: "notification", method } : { type: "request", id, method, params };
}

function describeError(error: unknown): string {
  const message: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : null;
  return typeof message === "string" ? message : describeThrown(error);
}

function broken(id: RequestId | null, kind: ConstructorParameters<typeof RequestFault>[0], message: string): Message {
  return { type: "broken", id, fault: new RequestFault(kind, message) };
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}
