import * as z from "zod";
import { type ClientMethod, clientRequests } from "./client-requests.ts";
import { notifications } from "./notifications.ts";
import { type ServerMethod, serverRequests } from "./server-requests.ts";

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ProtocolSchema {
  readonly $schema: string;
  readonly title: string;
  /** Requests of clients and of the server, each with its `params` and its `result`. */
  readonly clientRequests: Readonly<Record<string, RequestSchema>>;
  readonly serverRequests: Readonly<Record<string, RequestSchema>>;
  readonly notifications: Readonly<Record<string, JsonSchema>>;
}

/** The parameters of one method, as clients write them. */
export function toParamsSchema(method: ClientMethod): JsonSchema {
  return toSchema(clientRequests[method].params, "input");
}

/** The result of one method, as clients write it. */
export function toAnswerSchema(method: ServerMethod): JsonSchema {
  return toSchema(serverRequests[method].result, "input");
}

interface RequestSchema {
  readonly params: JsonSchema;
  readonly result: JsonSchema;
}

/** The whole protocol, by direction and method. */
export function toProtocolSchema(): ProtocolSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "unroll app-server",
    clientRequests: mapValues(clientRequests, ({ params, result }) => toRequest(params, result, "input")),
    serverRequests: mapValues(serverRequests, ({ params, result }) => toRequest(params, result, "output")),
    notifications: mapValues(notifications, (params) => toSchema(params, "output")),
  };
}

/** `io`: whether the parameters are what one may send, or what one gets. */
function toRequest(params: z.ZodType, result: z.ZodType, io: "input" | "output"): RequestSchema {
  return { params: toSchema(params, io), result: toSchema(result, io === "input" ? "output" : "input") };
}

function toSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...members } = z.toJSONSchema(schema, { io, reused: "inline" });
  return members;
}

function mapValues<Value, Mapped>(
  table: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, map(value)]));
}
