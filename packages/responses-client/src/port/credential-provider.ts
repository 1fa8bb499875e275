/**
 * Who the requests are from. What an implementation throws with a string `code` (an expired login) ends the request with
 * that code and message, so neither may hold a credential; anything else it throws is a bug and passes through.
 */
export interface CredentialProvider {
  /** The headers that prove it (`authorization`, `ChatGPT-Account-ID`), asked for before each try. */
  authorization(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Called once after a 401. True: `authorization` now gives something else, so try again. Absent: nothing to refresh. */
  refresh?(signal: AbortSignal): Promise<boolean>;
}
