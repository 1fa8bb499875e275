/**
 * The features of the Responses API that a server accepts. Requests leave out a feature that it
 * does not accept. Each is a `supports_…` key of the provider (docs/config.md).
 */
export interface ServerFeatures {
  /** Items of every kind, as they came. Without it, what not every server knows is sent as messages and functions. */
  readonly anyItems: boolean;
  /** `POST /responses/compact`. */
  readonly compaction: boolean;
  /** Tools that are not functions: freeform text in a grammar. */
  readonly customTools: boolean;
  /** `include` with `reasoning.encrypted_content`: reasoning that only the server can read. */
  readonly encryptedReasoning: boolean;
  /** Developer messages anywhere. Without it there is one system text: the instructions, with those that a thread begins with. */
  readonly developerMessages: boolean;
  readonly images: boolean;
  /** `prompt_cache_key`. */
  readonly promptCacheKey: boolean;
  /** Reasoning among the items that are sent back. */
  readonly reasoningItems: boolean;
  /** `reasoning.summary`. */
  readonly reasoningSummaries: boolean;
  /** Two messages of one role in a row. Without it user and assistant speak in turn, where calls and their outputs do not count. */
  readonly repeatedRoles: boolean;
  /** `store`. */
  readonly store: boolean;
  /** The hosted web search. */
  readonly webSearch: boolean;
}

/** The features that decide the prefix of a thread's requests, and therefore stay the same in a thread. */
export type RequestForm = Pick<
  ServerFeatures,
  "anyItems" | "customTools" | "developerMessages" | "images" | "reasoningItems" | "repeatedRoles" | "webSearch"
>;

/** The name of one feature of a server. */
export type ServerFeature = keyof ServerFeatures;
