import { Buffer } from "node:buffer";
import * as z from "zod";

/**
 * A token's own claims. Its signature is not checked: it came straight from its issuer, or from our
 * own store.
 */
export interface TokenClaims {
  /**
   * In ms: how long it lasts from its creation, by its own two times, so that no clock has to be
   * right; null: it does not say.
   */
  readonly lifetimeMs: number | null;
  /** In ms since 1970, by the server's clock; null: it does not say. */
  readonly expiresAt: number | null;
  readonly email: string | null;
  /** The ChatGPT account. */
  readonly accountId: string | null;
  /** The plan of that account, such as `plus` or `pro`. */
  readonly plan: string | null;
}

const text = z.string().nullable().catch(null);
const seconds = z.number().nullable().catch(null);
const claimsSchema = z.object({
  exp: seconds.default(null),
  iat: seconds.default(null),
  email: text.default(null),
  "https://api.openai.com/auth": z
    .object({ chatgpt_account_id: text.default(null), chatgpt_plan_type: text.default(null) })
    .nullable()
    .catch(null)
    .default(null),
});
type Claims = z.infer<typeof claimsSchema>;

/** Null claims for anything but a JWT (RFC 7519): tokens may be of any kind. */
export function parseClaims(token: string): TokenClaims {
  const { exp, iat, email, "https://api.openai.com/auth": account }: Partial<Claims> = decode(token) ?? {};
  return {
    lifetimeMs: exp && iat ? Math.max(0, exp - iat) * 1000 : null,
    expiresAt: exp ? exp * 1000 : null,
    email: email ?? null,
    accountId: account?.chatgpt_account_id ?? null,
    plan: account?.chatgpt_plan_type ?? null,
  };
}

function decode(token: string): Claims | null {
  const [, payload = ""] = token.split(".");
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return claimsSchema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}
