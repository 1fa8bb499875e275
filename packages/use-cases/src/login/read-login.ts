import type { LoginStatus } from "@unroll/auth";
import { type ProviderCredential, resolveCredential } from "@unroll/config";
import { explainWrongLogin, type Host, openLogin, type ResolvedConfig } from "@unroll/harness";

type LoginHost = Pick<Host, "env" | "now" | "elapsed">;

/** Who is logged in; nothing of it is secret. */
export interface LoginFacts {
  /** Null: nobody. */
  readonly status: LoginStatus | null;
  /** Why it is not used, and what to do; null: it may be used. */
  readonly fault: string | null;
}

/** What requests are authorized with. */
export interface CredentialFacts extends LoginFacts {
  readonly credential: ProviderCredential;
}

/** Throws `AuthError` for a login that cannot be read. */
export async function readLogin(
  config: Pick<ResolvedConfig, "codexHome" | "login">,
  host: LoginHost,
): Promise<LoginFacts> {
  const status = await (await openLogin(config, host)).status();
  return { status, fault: status === null ? null : explainWrongLogin(config, status.type) };
}

/** A login is read only where no key goes before it. Throws as `readLogin`. */
export async function readCredential(
  config: Pick<ResolvedConfig, "codexHome" | "login" | "provider">,
  host: LoginHost,
): Promise<CredentialFacts> {
  const credential = resolveCredential(config.provider, host.env);
  if (credential.type !== "missing" || !credential.takesLogin) return { credential, status: null, fault: null };
  return { credential, ...(await readLogin(config, host)) };
}
