import { once } from "@unroll/flow";
import type { ResponseTerminalEvent, ResponseUsage } from "@unroll/protocol";
import * as z from "zod";
import { sliceJson, sliceMember } from "./slice-json.ts";
import { type Fields, isFields, type WireEnding, type WrittenItem } from "./wire-event.ts";

const text = z.string().optional().catch(undefined);
const code = z.union([z.string(), z.number()]).optional().catch(undefined);

/** A server that does not say what failed has failed itself. */
const errorSchema = z.union([
  z
    .object({ code, type: text, message: text })
    .transform((error) => ({ code: toCode(error.code, error.type), message: error.message ?? "" })),
  z.string().transform((message) => ({ code: "server_error", message })),
]);

const count = z.number().optional().catch(undefined);

/** Tokens as a server counts them; null where it sent none, or none that can be read. */
export const usageSchema: z.ZodType<ResponseUsage | null> = z
  .object({
    input_tokens: z.number(),
    input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(null),
    output_tokens: z.number(),
    output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
    total_tokens: z.number().optional().catch(undefined),
  })
  .transform((usage) => ({ ...usage, total_tokens: usage.total_tokens ?? usage.input_tokens + usage.output_tokens }))
  .nullable()
  .catch(null);

const responseSchema = z.object({
  id: z.string().catch(""),
  status: text,
  error: errorSchema.nullish().catch(null),
  incomplete_details: z.object({ reason: text }).nullish().catch(null),
  usage: usageSchema,
});

/** The last event of a response. Where it is malformed it counts as an `error` event with the code `invalid_answer`. */
export function decodeEnding(type: string, value: Fields, json: string): WireEnding {
  return { type: "ending", terminal: readTerminal(type, value), output: listOutput(value, json) };
}

function readTerminal(type: string, value: Fields): ResponseTerminalEvent {
  if (type === "error") return { type, ...readError(value) };
  const parsed = responseSchema.safeParse(responseOf(value));
  if (!parsed.success) return { type: "error", code: "invalid_answer", message: `its event ${type} is malformed` };
  const { id, status, incomplete_details, usage, ...failed } = parsed.data;
  // some servers say by the status alone that an answer is not whole
  if (type === "response.incomplete" || (type === "response.completed" && status === "incomplete"))
    return { type: "response.incomplete", response: { id, incomplete_details, usage } };
  if (type === "response.completed" && status !== "failed" && status !== "cancelled")
    return { type, response: { id, usage } };
  return { type: "response.failed", response: { id, error: failed.error ?? null } };
}

/** The API reference has the fields of an error on the event itself; servers also send them in an `error` object. */
function readError(value: Fields): { readonly code?: string; readonly message: string } {
  return errorSchema.safeParse(value["error"] ?? { ...value, type: undefined }).data ?? { message: "" };
}

/** Some gateways write its members into the event. */
function responseOf({ response, ...value }: Fields): unknown {
  return response === undefined && Array.isArray(value["output"]) ? value : response;
}

/** Items keep the text that they were written in. */
function listOutput(value: Fields, json: string): readonly WrittenItem[] {
  const response = responseOf(value);
  const output = isFields(response) ? response["output"] : null;
  if (!Array.isArray(output)) return [];
  const readTexts = once(() => sliceJson(sliceMember(sliceMember(json, "response") ?? json, "output") ?? ""));
  return output.flatMap((item: unknown, place) =>
    isFields(item) && typeof item["type"] === "string"
      ? [{ value: item, readText: () => readTexts()[place]?.text ?? null }]
      : [],
  );
}

const [tooManyRequests, serverError] = [429, 500];

/** Replaces a status that is given as a code by this API's name for it. */
function toCode(given: string | number | undefined, type: string | undefined): string {
  const status = Number(given ?? Number.NaN);
  if (given === "" || given === undefined) return type ?? "server_error";
  if (!Number.isInteger(status)) return String(given);
  if (status === tooManyRequests) return "rate_limit_exceeded";
  return status >= serverError ? "server_error" : (type ?? `http_${status}`);
}
