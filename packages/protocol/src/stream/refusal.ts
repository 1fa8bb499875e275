/**
 * The part of a request that a server refused, from its code, its message and its numbers. Servers
 * agree on neither status nor code, so one parser reads the messages of all of them.
 */
export type Refusal =
  /** The request does not fit into the context window. Both in tokens; null: the server gave no number. */
  | { readonly type: "overflow"; readonly contextWindow: number | null; readonly requestTokens: number | null }
  /** The conversation holds something that this server cannot use: every later request would fail the same way. */
  | { readonly type: "content"; readonly kind: RefusedContent }
  /** A rule of the model's template about the order of messages. */
  | { readonly type: "roles"; readonly rule: RoleRule }
  /** Members of the request, at least one. `paths`: as the server names them, with dots: `include`, `reasoning.summary`. */
  | { readonly type: "member"; readonly paths: readonly string[] }
  /** An item of the input, by its type; null: the server does not name it. `path`: `input.3.phase`; null: not given. */
  | { readonly type: "item"; readonly itemType: string | null; readonly path: string | null }
  /** A tool, by its type; null: the server does not name it, or takes no tools at all. */
  | { readonly type: "tool"; readonly toolType: string | null };

/** `arguments`: of a tool call, which are not JSON. `template`: the chat template fails on the conversation for another reason. */
export type RefusedContent = "image" | "arguments" | "template";

/**
 * `system_first`: a system or developer message stands elsewhere than at the beginning. `alternation`: user and assistant must take
 * turns. `unknown_role`: the template does not know a role.
 */
export type RoleRule = "system_first" | "alternation" | "unknown_role";
