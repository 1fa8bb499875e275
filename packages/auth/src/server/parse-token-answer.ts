import * as z from "zod";
import type { TokenLogin } from "../record/auth-record.ts";
import { parseClaims } from "../record/parse-claims.ts";

/** What a token endpoint answers (RFC 6749, 5.1 and 5.2). `code` is the server's word: `invalid_grant`. */
export type TokenAnswer =
  | { readonly type: "tokens"; readonly tokens: IssuedTokens }
  | { readonly type: "refused"; readonly code: string; readonly description: string | null };

/** Null: the server sent none. Then what was there before goes on being good. */
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

/** Null: it is neither tokens nor a refusal, but a server in trouble. `body` is the JSON of the answer, or null. */
export function parseTokenAnswer(status: number, body: unknown): TokenAnswer | null {
  if (status >= 200 && status < 300) {
    const found = tokensSchema.safeParse(body).data;
    return found === undefined ? null : { type: "tokens", tokens: toIssued(found) };
  }
  if (status === 408 || status === 429 || status < 400 || status >= 500) return null;
  const refusal = refusalSchema.safeParse(body).data ?? { code: `http_${status}`, description: null };
  return { type: "refused", ...refusal };
}

/** The account is named in the ID token, by OpenAI. */
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
