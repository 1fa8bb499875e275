import type { ResponseTerminalEvent } from "@unroll/protocol";
import * as z from "zod";
import { usageSchema } from "./usage-schema.ts";

const text = z.string().optional().catch(undefined);

/** A server that does not say what failed has failed itself. */
const errorSchema = z
  .object({ code: text, type: text, message: text })
  .transform(({ code, type, message }) => ({ code: code ?? type ?? "server_error", message: message ?? "" }));

const completedSchema = z.object({
  type: z.literal("response.completed"),
  response: z.object({ id: z.string(), usage: usageSchema }),
});
const failedSchema = z.object({
  type: z.literal("response.failed"),
  response: z.object({ id: z.string(), error: errorSchema.nullish().catch(null) }),
});
const incompleteSchema = z.object({
  type: z.literal("response.incomplete"),
  response: z.object({
    id: z.string(),
    incomplete_details: z.object({ reason: text }).nullish().catch(null),
    usage: usageSchema,
  }),
});
// The API reference has the fields of an error on the event itself; servers also send them in an `error` object.
const errorEventSchema = z.union([
  z.object({ type: z.literal("error"), error: errorSchema }).transform(({ type, error }) => ({ type, ...error })),
  z.object({ type: z.literal("error"), code: text, message: z.string().catch("") }),
]);
const terminalEventSchema: z.ZodType<ResponseTerminalEvent> = z.union([
  completedSchema,
  failedSchema,
  incompleteSchema,
  errorEventSchema,
]);

/** The last event of a response; where it is malformed an `error` event with the code `invalid_answer`. */
export function decodeTerminalEvent(value: Readonly<Record<string, unknown>>): ResponseTerminalEvent {
  const parsed = terminalEventSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return { type: "error", code: "invalid_answer", message: `its event ${String(value["type"])} is malformed` };
}
