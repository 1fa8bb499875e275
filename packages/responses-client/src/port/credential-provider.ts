export type AuthorizationHeaders = Readonly<Record<string, string>>;

/**
 * Who the requests are from. What an implementation throws with a string `code` (an expired login) ends the request with
 * that code and message, so neither may hold a credential; anything else it throws is a bug and passes through.
 */
export interface CredentialProvider {
  /** What a person does where a server does not accept it (401), as a sentence. Absent: look at the key. */
  readonly remedy?: string;
  /** The headers that prove it (`authorization`, `ChatGPT-Account-ID`), asked for before each try. */
  authorization(signal: AbortSignal): Promise<AuthorizationHeaders>;
  /**
   * Called once after a 401, with the headers that were refused: requests that run side by side may be refused after one of
   * them refreshed. True: `authorization` now gives something else, so try again. Absent: nothing to refresh.
   */
  refresh?(refused: AuthorizationHeaders, signal: AbortSignal): Promise<boolean>;
}
