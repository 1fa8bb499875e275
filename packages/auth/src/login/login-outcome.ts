import type { StoredLogin } from "../record/auth-record.ts";

/** How a login on a server's pages ended. */
export type LoginResult =
  | { readonly type: "tokens"; readonly login: StoredLogin }
  /** `message`: why, and what to do. */
  | { readonly type: "failed"; readonly message: string };
