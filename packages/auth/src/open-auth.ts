import type { Clock } from "@unroll/flow";
import { createLoginCredential, type LoginCredential } from "./credential/login-credential.ts";
import type { OnCredential } from "./credential/request-credential.ts";
import { AuthError } from "./auth-error.ts";
import type { BrowserLogin } from "./login/browser-login.ts";
import type { DeviceLogin } from "./login/device-login.ts";
import type { LoginResult } from "./login/login-outcome.ts";
import type { StoredLogin } from "./record/auth-record.ts";
import { parseClaims } from "./record/parse-claims.ts";
import type { CredentialStorage, LoginServer, Network } from "./auth-settings.ts";
import { openCredentialStore } from "./store/credential-store.ts";
import type { OpenKeyring } from "./store/keyring.ts";
import type { StoreReport } from "./store/open-places.ts";

/** Where logins are saved, and which server issues them. */
export interface AuthOptions extends Network {
  /** The folder of `auth.json`; need not exist. */
  readonly codexHome: string;
  /** The name of the login, if there are several. Absent: `default`, whose login is in `auth.json`. */
  readonly account?: string;
  readonly storage: CredentialStorage;
  readonly server: LoginServer;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Absent: the system's keyring. */
  readonly openKeyring?: OpenKeyring;
}

/** The login of one account of a Codex home: log in, show it, log out, and use it for requests. */
export interface Auth {
  /** Null: nobody is logged in. Throws `AuthError`. */
  status(): Promise<LoginStatus | null>;
  /**
   * Give it a signal with a timeout: the user may never come back. The present login stays until
   * the new one has arrived.
   */
  logInByBrowser(options: Pick<BrowserLogin, "openPage" | "ports" | "signal">): Promise<LoginOutcome>;
  logInByDevice(options: Pick<DeviceLogin, "showCode" | "signal">): Promise<LoginOutcome>;
  /** Saves an API key without asking a server. */
  logInByKey(key: string, signal: AbortSignal): Promise<LoginOutcome>;
  /** Removes the login here, and asks the server to revoke it. Throws `AuthError`. */
  logOut(signal: AbortSignal): Promise<LogoutOutcome>;
  /**
   * Null: nobody is logged in. `onCredential` is called with each credential before it is used.
   * Throws `AuthError`.
   */
  findCredential(onCredential: OnCredential): Promise<LoginCredential | null>;
}

/** The logged-in account, without any secret. */
export interface LoginStatus {
  readonly type: StoredLogin["type"];
  /** Where it is saved. */
  readonly place: string;
  /** Null: unknown, as for a key. */
  readonly email: string | null;
  readonly plan: string | null;
  /** In ms since 1970; null: unknown. */
  readonly renewedAt: number | null;
}

/** The outcome of a login. Expected failures are outcomes. */
export type LoginOutcome =
  | ({ readonly type: "logged_in" } & StoreReport)
  /** `message`: why, and what to do. */
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "cancelled" };

/** The outcome of a logout. Expected failures are outcomes. */
export type LogoutOutcome =
  | { readonly type: "not_logged_in"; readonly notices: readonly string[] }
  /** `isRevoked`: whether the server has ended the login, too; null: there was nothing to end. */
  | { readonly type: "logged_out"; readonly isRevoked: boolean | null; readonly notices: readonly string[] };

/** Opens a login. Nothing is read, requested or loaded before it is needed. Throws `AuthError` for a wrong account name. */
export function openAuth(options: AuthOptions): Auth {
  const { server, clock, proxyEnv } = options;
  const store = openCredentialStore(options);
  const network: Network = { proxyEnv };

  async function keep(login: StoredLogin, signal: AbortSignal): Promise<LoginOutcome> {
    using lock = await store.lock(signal);
    if (lock === null) return { type: "cancelled" };
    return { type: "logged_in", ...(await store.save(login)) };
  }

  async function finish(signal: AbortSignal, run: () => Promise<LoginResult>): Promise<LoginOutcome> {
    try {
      (await store.lock(signal))?.[Symbol.dispose](); // an unwritable home is reported before the user is asked anything
      const result = await run();
      return result.type === "tokens" ? await keep(result.login, signal) : result;
    } catch (error) {
      if (signal.aborted) return { type: "cancelled" };
      if (error instanceof AuthError) return { type: "failed", message: error.message };
      throw error;
    }
  }

  return {
    async status() {
      const found = await store.read();
      return found?.login ? toStatus(found.login, found.place.name) : null;
    },
    logInByBrowser: (asked) =>
      finish(asked.signal, async () => {
        const { logInByBrowser } = await import("./login/browser-login.ts");
        return logInByBrowser({ ...asked, server, network, clock });
      }),
    logInByDevice: (asked) =>
      finish(asked.signal, async () => {
        const { logInByDevice } = await import("./login/device-login.ts");
        return logInByDevice({ ...asked, server, network, clock });
      }),
    async logInByKey(key, signal) {
      if (!/^[\x21-\x7e]+$/.test(key)) {
        return {
          type: "failed",
          message: "This is not an API key: a key is one line without spaces. Nothing was stored.",
        };
      }
      return finish(signal, async () => ({ type: "tokens", login: { type: "key", key } }));
    },
    async logOut(signal) {
      using lock = await store.lock(signal);
      if (lock === null) throw new AuthError("store_unusable", "Another process is using the login. Try again.");
      const found = await store.read().catch(() => null); // an unreadable record is put aside
      const notices = await store.clear();
      const login = found?.login ?? null;
      if (login === null) return { type: "not_logged_in", notices };
      if (login.type === "key") return { type: "logged_out", isRevoked: null, notices };
      const { revokeTokens } = await import("./server/revoke-tokens.ts");
      return { type: "logged_out", isRevoked: await revokeTokens(login, { server, network }, signal), notices };
    },
    async findCredential(onCredential) {
      const found = await store.read();
      return found && createLoginCredential(found, { store, server, network, clock, onCredential });
    },
  };
}

function toStatus(login: StoredLogin, place: string): LoginStatus {
  if (login.type === "key") return { type: "key", place, email: null, plan: null, renewedAt: null };
  const { email, plan } = parseClaims(login.idToken ?? "");
  return { type: "tokens", place, email, plan, renewedAt: login.renewedAt };
}
