import { once } from "@unroll/flow";
import * as z from "zod";
import { parseJson } from "../decode/parse-json.ts";

/** What a server says of its own error; null where it does not. */
export interface ServerError {
  readonly code: string | null;
  readonly message: string | null;
}

const text = once(() => z.string().nonempty().nullish().catch(null));
const detailsSchema = once(() =>
  z
    .object({ code: text(), type: text(), message: text() })
    .transform(({ code, type, message }) => ({ code: code ?? type ?? null, message: message ?? null })),
);
const toMessage = (message: string): ServerError => ({ code: null, message });
const bodySchema: () => z.ZodType<ServerError> = once(() =>
  z.union([
    z.object({ error: detailsSchema() }).transform(({ error }) => error),
    z.object({ error: z.string() }).transform(({ error }) => toMessage(error)),
    z.object({ detail: z.string() }).transform(({ detail }) => toMessage(detail)),
    detailsSchema(),
  ]),
);

/**
 * Reads the body of an HTTP error: `{error: {code, type, message}}`, or what other servers send in its place. The code is
 * the server's `code`, else its `type`: `usage_limit_reached` comes as one.
 */
export function parseServerError(body: string): ServerError {
  const parsed = bodySchema().safeParse(parseJson(body));
  return parsed.success ? parsed.data : { code: null, message: null };
}
