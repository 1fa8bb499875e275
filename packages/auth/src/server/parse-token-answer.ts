import * as z from "zod";
import type { TokenLogin } from "../record/auth-record.ts";
import { parseClaims } from "../record/parse-claims.ts";

/**
 * The response of a token endpoint (RFC 6749, 5.1 and 5.2). `code` is the server's error code:
 * `invalid_grant`.
 */
export type TokenAnswer =
  | { readonly type: "tokens"; readonly tokens: IssuedTokens }
  | { readonly type: "refused"; readonly code: string; readonly description: string | null };

/** A null member: the server sent none, and the earlier value stays valid. */
type IssuedTokens = Pick<TokenLogin, "accessToken" | "refreshToken" | "idToken" | "accountId" | "lifetimeMs">;

const text = z.string().nonempty().nullish();
const tokensSchema = z.object({
  access_token: z.string().nonempty(),
  refresh_token: text,
  id_token: text,
  expires_in: z.coerce.number().positive().nullish().catch(null),
});
const refusalSchema = z.union([
  z.object({ error: z.string(), error_description: text }).transform(({ error, error_description }) => ({
    code: error,
    description: error_description ?? null,
  })),
  z
    .object({ error: z.object({ code: text, type: text, message: text }) })
    .transform(({ error }) => ({ code: error.code ?? error.type ?? "refused", description: error.message ?? null })),
]);

/**
 * Null: neither tokens nor a rejection, so the server has a problem. `body` is the response's JSON,
 * or null.
 */
export function parseTokenAnswer(status: number, body: unknown): TokenAnswer | null {
  if (status >= 200 && status < 300) {
    const found = tokensSchema.safeParse(body).data;
    return found === undefined ? null : { type: "tokens", tokens: toIssued(found) };
  }
  if (status === 408 || status === 429 || status < 400 || status >= 500) return null;
  const refusal = refusalSchema.safeParse(body).data ?? { code: `http_${status}`, description: null };
  return { type: "refused", ...refusal };
}

/** OpenAI names the account in the ID token. */
function toIssued(found: z.infer<typeof tokensSchema>): IssuedTokens {
  const own = parseClaims(found.access_token);
  return {
    accessToken: found.access_token,
    refreshToken: found.refresh_token ?? null,
    idToken: found.id_token ?? null,
    accountId: parseClaims(found.id_token ?? "").accountId ?? own.accountId,
    lifetimeMs: found.expires_in ? found.expires_in * 1000 : own.lifetimeMs,
  };
}
