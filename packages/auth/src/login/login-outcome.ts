import type { StoredLogin } from "../record/auth-record.ts";

/** How a person's way through the pages of a server ended. */
export type LoginResult =
  | { readonly type: "tokens"; readonly login: StoredLogin }
  /** `message`: why, and what to do. */
  | { readonly type: "failed"; readonly message: string };
