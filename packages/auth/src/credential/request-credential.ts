export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** Who requests are from; what a client of a model is given. All throw `AuthError`. */
export interface RequestCredential {
  /** The headers that prove it, asked for before each try. */
  authorization(signal: AbortSignal): Promise<AuthorizationHeaders>;
  /** After a 401 for these headers. True: `authorization` now gives something else; at once where it already does. */
  refresh(refused: AuthorizationHeaders, signal: AbortSignal): Promise<boolean>;
}

/** Told of every credential that comes up, before it is used: it is to be masked in whatever is shown. */
export type OnCredential = (credential: { readonly name: string; readonly value: string }) => void;
