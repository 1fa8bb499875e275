import { AuthError, listAccounts, type LoginOutcome, type LoginStatus, type LogoutOutcome } from "@unroll/auth";
import { type ProviderCredential, resolveCredential } from "@unroll/config";
import { explainWrongLogin, type Host, openLogin, type ResolvedConfig } from "@unroll/harness";

/** How long the user may take on the pages of the login server, in ms. */
const patienceMs = 15 * 60 * 1000;
/** How long the login server may take to revoke a login, in ms. */
const revocationMs = 10_000;

type LoginHost = Pick<Host, "env" | "now" | "elapsed">;

/** Where the login is stored, and the signal that limits its time. */
export interface LoginPlace {
  readonly config: Pick<ResolvedConfig, "codexHome" | "login">;
  readonly host: LoginHost;
  readonly signal: AbortSignal;
}

/** How the user logs in, and how they see what they need for it. */
export type LoginWay =
  /** By an API key, which is kept. `readKey` gives null where the user leaves. */
  | { readonly type: "key"; readonly readKey: (signal: AbortSignal) => Promise<string | null> }
  /** By a page in a browser of this machine. */
  | { readonly type: "browser"; readonly openPage: (url: string) => Promise<void> }
  /** By a code that is entered on any device. */
  | { readonly type: "code"; readonly showCode: (shown: ShownCode) => Promise<void> };

/** A code, and the page where it is entered. */
export interface ShownCode {
  readonly code: string;
  readonly url: string;
}

/** How a login ended. Expected failures are values. */
export type LoginEnd =
  | LoginOutcome
  /** The config (`forced_login_method`) allows only this method; nobody was asked. */
  | { readonly type: "forbidden"; readonly allowed: "api" | "chatgpt" };

/** Logs the user in; a login that is there stays until the new one has come. Throws `AuthError`. */
export async function logIn({ config, host, signal }: LoginPlace, way: LoginWay): Promise<LoginEnd> {
  const { method } = config.login;
  if (method !== null && (method === "api") !== (way.type === "key")) return { type: "forbidden", allowed: method };
  const auth = await openLogin(config, host);
  const until = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  switch (way.type) {
    case "key": {
      const key = await way.readKey(until);
      return key === null ? { type: "cancelled" } : auth.logInByKey(key, until);
    }
    case "browser":
      return auth.logInByBrowser({ openPage: way.openPage, signal: until });
    case "code":
      return auth.logInByDevice({ showCode: way.showCode, signal: until });
  }
}

/** Forgets the login here, and asks its server to revoke it. Throws `AuthError`. */
export async function logOut({ config, host, signal }: LoginPlace): Promise<LogoutOutcome> {
  const auth = await openLogin(config, host);
  return auth.logOut(AbortSignal.any([signal, AbortSignal.timeout(revocationMs)]));
}

/** The login without its secrets. */
interface LoginFacts {
  /** Null: nobody. */
  readonly status: LoginStatus | null;
  /** Why it is not used, and what to do; null: it may be used. */
  readonly fault: string | null;
}

/** The credential for requests. */
interface CredentialFacts extends LoginFacts {
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

/** A login by the name that the user gave it. */
export interface Account {
  readonly name: string;
  /** Whether the config chooses it. */
  readonly isChosen: boolean;
  /** Null: nobody is logged in, or it cannot be read. */
  readonly status: LoginStatus | null;
  /** Why it cannot be used, and what to do; null: nothing is known against it. */
  readonly fault: string | null;
}

/** All accounts, `default` first, and the chosen one even if nobody is logged in to it. Throws `AuthError` if they cannot be listed. */
export async function readAccounts(
  config: Pick<ResolvedConfig, "codexHome" | "login">,
  host: LoginHost,
): Promise<readonly Account[]> {
  const { account: chosen } = config.login;
  const names = [...new Set([...(await listAccounts(config.codexHome)), chosen])];
  return Promise.all(
    names.map(async (name) => ({ name, isChosen: name === chosen, ...(await readAccount(name, config, host)) })),
  );
}

async function readAccount(
  account: string,
  config: Pick<ResolvedConfig, "codexHome" | "login">,
  host: LoginHost,
): Promise<LoginFacts> {
  try {
    return await readLogin({ ...config, login: { ...config.login, account } }, host);
  } catch (error) {
    if (error instanceof AuthError) return { status: null, fault: error.message };
    throw error;
  }
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
