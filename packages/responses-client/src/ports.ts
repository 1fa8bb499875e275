import type { ThreadHeaders } from "@unroll/protocol";

export type AuthorizationHeaders = Readonly<Record<string, string>>;

/**
 * The credential of requests. `openAuth` and `createCommandCredential` of `@unroll/auth` make one.
 * An error with a string `code` (an expired login) ends the request with that code and message, so
 * neither may hold a credential. Any other exception is a bug and passes through.
 */
export interface CredentialProvider {
  /** Advice for the user if a server rejects it (401), as a sentence. Absent: check the key. */
  readonly remedy?: string;
  /** The headers that prove it (`authorization`, `ChatGPT-Account-ID`), asked for before each try. */
  authorization(signal: AbortSignal): Promise<AuthorizationHeaders>;
  /**
   * Called once after a 401, with the headers that were refused: requests that run side by side may be refused after one of
   * them refreshed. True: `authorization` now gives something else, so try again. Absent: nothing to refresh.
   */
  refresh?(refused: AuthorizationHeaders, signal: AbortSignal): Promise<boolean>;
}

/** Where a provider is and how patient to be with it (`[model_providers.<id>]`, environment variables resolved). */
export interface ProviderEndpoint {
  readonly id: string;
  /** `/responses` is below it. A query that it holds is kept. */
  readonly baseUrl: string;
  readonly queryParams: Readonly<Record<string, string>>;
  /** Extra parameters for the list of models. Default: none. */
  readonly listParams?: Readonly<Record<string, string>> | undefined;
  /** `http_headers` and `env_http_headers`. A header of the credential wins over one of these. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers that tell the server which requests belong to one thread. Default `hyphen`. */
  readonly threadHeaders?: ThreadHeaders | undefined;
  /** Retries of what fails before an answer begins. Default 4, at most 100. */
  readonly requestMaxRetries?: number | undefined;
  /** Retries of an answer that broke off or failed. Default 5, at most 100. */
  readonly streamMaxRetries?: number | undefined;
  /** From the start of a request to its connection, proxy and TLS included. Default 15,000 ms. */
  readonly connectTimeoutMs?: number | undefined;
  /** From the connection to the head of the answer. Default 300,000 ms: local servers read the prompt first. */
  readonly firstByteTimeoutMs?: number | undefined;
  /** The longest wait for the next event of an answer; a comment counts as one, single bytes do not. Default 300,000 ms. */
  readonly idleTimeoutMs?: number | undefined;
  /** How long a server that is not ready is waited for. Default 300,000 ms; 0: not at all. */
  readonly startupTimeoutMs?: number | undefined;
}
