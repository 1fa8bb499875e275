/** A saved login. */
export type StoredLogin = KeyLogin | TokenLogin;

interface KeyLogin {
  readonly type: "key";
  readonly key: string;
}

export interface TokenLogin {
  readonly type: "tokens";
  readonly accessToken: string;
  /** Null: the login cannot be renewed. */
  readonly refreshToken: string | null;
  /** Names the account. Null: the server sent none. */
  readonly idToken: string | null;
  /** The ChatGPT account of requests; null: none is named. */
  readonly accountId: string | null;
  /** In ms from `renewedAt`: how long the access token lasts; null: the server did not say. */
  readonly lifetimeMs: number | null;
  /** When these tokens arrived, in ms since 1970 by this machine's clock. Null: unknown. */
  readonly renewedAt: number | null;
}

/** The members of `auth.json` as they are, ours and others'. */
export type RecordMembers = Readonly<Record<string, unknown>>;

/** A login, and the other members of its record, which are preserved. */
export interface AuthRecord {
  /** Null: the record has none. */
  readonly login: StoredLogin | null;
  readonly members: RecordMembers;
}
