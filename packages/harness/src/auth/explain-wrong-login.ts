import type { LoginStatus } from "@unroll/auth";
import type { ResolvedConfig } from "@unroll/config";

/** Why a login of this type is not to be used, and what to do; null where it may be. */
export function explainWrongLogin({ login }: Pick<ResolvedConfig, "login">, type: LoginStatus["type"]): string | null {
  const has = type === "key" ? "api" : "chatgpt";
  if (login.method === null || login.method === has) return null;
  return has === "api"
    ? 'An API key is kept, and forced_login_method is "chatgpt": log in with ChatGPT by unroll login.'
    : 'A ChatGPT login is kept, and forced_login_method is "api": keep a key by unroll login --with-api-key, or set one in a variable.';
}
