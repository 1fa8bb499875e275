import * as z from "zod";
import { type ClientMethod, clientRequests } from "./client-requests.ts";
import { type ServerMethod, serverRequests } from "./server-requests.ts";

/** A JSON Schema (2020-12). */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The parameters of one method, as clients write them. */
export function toParamsSchema(method: ClientMethod): JsonSchema {
  return toSchema(clientRequests[method].params, "input");
}

/** The result of one method, as clients write it. */
export function toAnswerSchema(method: ServerMethod): JsonSchema {
  return toSchema(serverRequests[method].result, "input");
}

function toSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...members } = z.toJSONSchema(schema, { io, reused: "inline" });
  return members;
}
