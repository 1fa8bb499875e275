/** Which model a thread is to have. */
export type ModelChoice =
  /** Somebody named one, or the provider is OpenAI, whose default is unroll's. */
  | { readonly type: "named" }
  /** Nobody named one, and the server has this one alone. */
  | { readonly type: "only"; readonly model: string }
  /** Nobody named one, and somebody has to. `models`: those that the server lists. `message` says so, with what to do. */
  | { readonly type: "open"; readonly models: readonly string[]; readonly message: string };
