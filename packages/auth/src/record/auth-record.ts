/** What a person logged in with. */
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
  /** Says who it is of. Null: the server gave none. */
  readonly idToken: string | null;
  /** The ChatGPT account that requests are for; null: none is named. */
  readonly accountId: string | null;
  /** How long the access token lasts from `renewedAt` on, where the server said so; else null. */
  readonly lifetimeMs: number | null;
  /** When these tokens came; ms since 1970 by this machine's clock. Null: it is not known. */
  readonly renewedAt: number | null;
}

/** The members of `auth.json` as they stand there, ours and others'. */
export type RecordMembers = Readonly<Record<string, unknown>>;

/** A login, and what else is written beside it: that is kept. */
export interface AuthRecord {
  /** Null: the record names none. */
  readonly login: StoredLogin | null;
  readonly members: RecordMembers;
}
