import {
  type ClientMethod,
  type ClientParams,
  clientRequests,
  type ServerMethod,
  serverRequests,
  type ServerResult,
} from "@unroll/app-server-protocol";
import { describeJsonFault, describeThrown } from "@unroll/text";
import type { z } from "zod";
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
  const fault = describeJsonFault(line);
  if (fault !== null) return broken(null, "parse", `The line is not JSON: ${fault}.`);
  const value: unknown = JSON.parse(line);
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

/** Throws `RequestFault` that names each wrong parameter by its place: `input[0].text`. */
export function parseParams<Method extends ClientMethod>(method: Method, params: unknown): ClientParams<Method> {
  const parsed = clientRequests[method].params.safeParse(params ?? {});
  if (parsed.success) return parsed.data as ClientParams<Method>;
  throw new RequestFault("invalidParams", `${method}: ${describeIssues(parsed.error.issues)}`);
}

/** Throws `RequestFault` where it is no answer to that. */
export function parseAnswer<Method extends ServerMethod>(method: Method, result: unknown): ServerResult<Method> {
  const parsed = serverRequests[method].result.safeParse(result);
  if (parsed.success) return parsed.data as ServerResult<Method>;
  throw new RequestFault("invalidParams", `${method}: ${describeIssues(parsed.error.issues)}`);
}

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  return issues.slice(0, 5).map(describeIssue).join("; ");
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return `${place === "" ? "params" : place.replace(/^\./, "")}: ${message}`;
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
