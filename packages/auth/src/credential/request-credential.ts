export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** The credential of requests, for a client of a model. All methods throw `AuthError`. */
export interface RequestCredential {
  /** The headers that prove it. Call it before each attempt. */
  authorization(signal: AbortSignal): Promise<AuthorizationHeaders>;
  /**
   * Call it after a 401 for these headers. True: `authorization` now returns other headers;
   * immediately if it already did.
   */
  refresh(refused: AuthorizationHeaders, signal: AbortSignal): Promise<boolean>;
}

/** Called with every credential before it is used, so that you can mask it in everything you show. */
export type OnCredential = (credential: { readonly name: string; readonly value: string }) => void;
