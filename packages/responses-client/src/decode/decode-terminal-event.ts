import { once } from "@unroll/flow";
import type { ResponseTerminalEvent } from "@unroll/protocol";
import * as z from "zod";
import { usageSchema } from "./usage-schema.ts";

const text = once(() => z.string().optional().catch(undefined));

/** A server that does not say what failed has failed itself. */
const errorSchema = once(() =>
  z
    .object({ code: text(), type: text(), message: text() })
    .transform(({ code, type, message }) => ({ code: code ?? type ?? "server_error", message: message ?? "" })),
);

const completedSchema = once(() =>
  z.object({
    type: z.literal("response.completed"),
    response: z.object({ id: z.string(), usage: usageSchema() }),
  }),
);
const failedSchema = once(() =>
  z.object({
    type: z.literal("response.failed"),
    response: z.object({ id: z.string(), error: errorSchema().nullish().catch(null) }),
  }),
);
const incompleteSchema = once(() =>
  z.object({
    type: z.literal("response.incomplete"),
    response: z.object({
      id: z.string(),
      incomplete_details: z.object({ reason: text() }).nullish().catch(null),
      usage: usageSchema(),
    }),
  }),
);
// The API reference has the fields of an error on the event itself; servers also send them in an `error` object.
const errorEventSchema = once(() =>
  z.union([
    z.object({ type: z.literal("error"), error: errorSchema() }).transform(({ type, error }) => ({ type, ...error })),
    z.object({ type: z.literal("error"), code: text(), message: z.string().catch("") }),
  ]),
);

/** The last event of a response; where it is malformed an `error` event with the code `invalid_answer`. */
export function decodeTerminalEvent(value: Readonly<Record<string, unknown>>): ResponseTerminalEvent {
  const parsed = schemaOf(value["type"])?.safeParse(value);
  if (parsed?.success) return parsed.data;
  return { type: "error", code: "invalid_answer", message: `its event ${String(value["type"])} is malformed` };
}

/** Null for what is not among the types of a last event. */
function schemaOf(type: unknown): z.ZodType<ResponseTerminalEvent> | null {
  if (type === "response.completed") return completedSchema();
  if (type === "response.failed") return failedSchema();
  if (type === "response.incomplete") return incompleteSchema();
  return type === "error" ? errorEventSchema() : null;
}
