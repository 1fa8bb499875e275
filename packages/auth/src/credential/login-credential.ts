import { type Clock, untilAborted } from "@unroll/flow";
import { AuthError } from "../auth-error.ts";
import type { StoredLogin, TokenLogin } from "../record/auth-record.ts";
import { parseClaims } from "../record/parse-claims.ts";
import { findServer } from "../server/authorization-server.ts";
import { requestTokens } from "../server/request-tokens.ts";
import type { LoginServer, Network } from "../auth-settings.ts";
import type { CredentialStore, FoundRecord } from "../store/credential-store.ts";
import type { AuthorizationHeaders, OnCredential, RequestCredential } from "./request-credential.ts";

/** A login in use. */
export interface LoginCredential extends RequestCredential {
  /** `key`: an API key. `tokens`: a ChatGPT login, whose requests go to another address. */
  readonly type: StoredLogin["type"];
  /** Resolves when no renewal is running: interrupting one may cost the login. */
  settled(): Promise<void>;
}

export interface LoginCredentialOptions {
  readonly store: CredentialStore;
  readonly server: LoginServer;
  readonly network: Network;
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly onCredential: OnCredential;
}

/**
 * In ms: how long before their end tokens are renewed. Short-lived ones are renewed in the last
 * fifth of their life.
 */
const aheadMs = 5 * 60 * 1000;
/** In ms: how long a renewal may take, including the wait for other processes. */
const renewalMs = 60_000;

/**
 * Gives requests the saved login, and renews it when due. One process renews at a time, once for
 * all who wait, and saves the new tokens before they are used: the old refresh token is worthless
 * afterwards.
 */
export function createLoginCredential(found: FoundRecord, options: LoginCredentialOptions): LoginCredential | null {
  const { login } = found;
  if (login === null) return null;
  return new StoredCredential(login, options);
}

class StoredCredential implements LoginCredential {
  readonly type: StoredLogin["type"];
  readonly #options: LoginCredentialOptions;
  #login: StoredLogin;
  #renewal: Promise<void> | null = null;

  constructor(login: StoredLogin, options: LoginCredentialOptions) {
    this.type = login.type;
    this.#login = login;
    this.#options = options;
    this.#tell(login);
  }

  async authorization(signal: AbortSignal): Promise<AuthorizationHeaders> {
    if (isDue(this.#login, this.#options.clock.now())) await this.#renewAhead(signal);
    return toHeaders(this.#login);
  }

  async refresh({ authorization: refused }: AuthorizationHeaders, signal: AbortSignal): Promise<boolean> {
    if (toHeaders(this.#login)["authorization"] === refused) await this.#renew(signal);
    return toHeaders(this.#login)["authorization"] !== refused;
  }

  async settled(): Promise<void> {
    await this.#renewal?.catch(() => {});
  }

  /** If a server cannot be reached or a file cannot be written, continue: the token may still be valid. */
  async #renewAhead(signal: AbortSignal): Promise<void> {
    try {
      await this.#renew(signal);
    } catch (error) {
      const isOver = error instanceof AuthError && (error.code === "login_ended" || error.code === "login_changed");
      if (isOver || !(error instanceof AuthError)) throw error;
    }
  }

  /** An aborted caller stops waiting; the renewal is finished anyway. */
  async #renew(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#renewal ??= this.#renewOnce().finally(() => (this.#renewal = null));
    await untilAborted(this.#renewal, signal);
  }

  async #renewOnce(): Promise<void> {
    const limit = AbortSignal.timeout(renewalMs);
    const { store } = this.#options;
    using lock = await store.lock(limit);
    if (lock === null) throw new AuthError("store_unusable", heldForLong, { retryable: true });
    const found = await store.read();
    if (found?.login?.type !== this.type) throw found === null ? loginGone() : loginChanged();
    if (toSecret(found.login) === toSecret(this.#login) && found.login.type === "tokens") {
      this.#take(await this.#requestRenewal(found, found.login, limit));
    } else this.#take(found.login); // another process was faster, or the user logged in again
  }

  async #requestRenewal(found: FoundRecord, login: TokenLogin, signal: AbortSignal): Promise<TokenLogin> {
    const { store, server, network, clock } = this.#options;
    if (login.refreshToken === null) throw ended("it cannot be renewed");
    await store.checkWritable(found); // the refresh token is worthless afterwards
    const authorizationServer = await findServer(server, network, signal);
    const answer = await requestTokens(authorizationServer, { type: "refresh", refreshToken: login.refreshToken });
    if (answer.type === "refused") {
      const now = await store.read(); // a program that does not know our lock may have renewed it
      if (now?.login?.type === "tokens" && now.login.accessToken !== login.accessToken) return now.login;
      throw ended(answer.code);
    }
    const { tokens } = answer;
    const renewed: TokenLogin = {
      type: "tokens",
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? login.refreshToken,
      idToken: tokens.idToken ?? login.idToken,
      accountId: tokens.accountId ?? login.accountId,
      lifetimeMs: tokens.lifetimeMs,
      renewedAt: clock.now(),
    };
    this.#take(renewed);
    await store.renew(found, renewed);
    return renewed;
  }

  #take(login: StoredLogin): void {
    this.#tell(login);
    this.#login = login;
  }

  #tell(login: StoredLogin): void {
    const { onCredential } = this.#options;
    if (login.type === "key") return onCredential({ name: "login.api_key", value: login.key });
    const { accessToken, refreshToken, idToken } = login;
    onCredential({ name: "login.access_token", value: accessToken });
    if (refreshToken !== null) onCredential({ name: "login.refresh_token", value: refreshToken });
    if (idToken !== null) onCredential({ name: "login.id_token", value: idToken });
  }
}

/**
 * Goes by the token's lifetime and the time of its arrival, both by this machine's clock, so that a
 * wrong clock does no harm. If they are unknown, the time in the token counts. A token without any
 * time is renewed when it is rejected.
 */
function isDue(login: StoredLogin, now: number): boolean {
  if (login.type === "key" || login.refreshToken === null) return false;
  const claims = parseClaims(login.accessToken);
  const lifetimeMs = claims.lifetimeMs ?? login.lifetimeMs;
  const { renewedAt } = login;
  if (lifetimeMs !== null && renewedAt !== null && renewedAt <= now) {
    return now >= renewedAt + lifetimeMs - Math.min(aheadMs, lifetimeMs / 5);
  }
  return claims.expiresAt !== null && now >= claims.expiresAt - aheadMs;
}

function toHeaders(login: StoredLogin): AuthorizationHeaders {
  const authorization = `Bearer ${toSecret(login)}`;
  return login.type === "key" || login.accountId === null
    ? { authorization }
    : { authorization, "chatgpt-account-id": login.accountId };
}

function toSecret(login: StoredLogin): string {
  return login.type === "key" ? login.key : login.accessToken;
}

const heldForLong = "Another process is renewing the login and has not finished. Try again.";

function ended(why: string): AuthError {
  const message = `Your login has expired (${why}). Run unroll login, then continue with unroll resume: the thread is saved.`;
  return new AuthError("login_ended", message);
}

function loginGone(): AuthError {
  return new AuthError("login_ended", "You have logged out: log in again with unroll login.");
}

function loginChanged(): AuthError {
  const message = "The login was replaced by one of another kind: restart with unroll resume.";
  return new AuthError("login_changed", message);
}
