/**
 * What a server takes of the Responses API, feature by feature. A feature that it does not take is left out of requests.
 * Each is a `supports_…` key of the provider (docs/config.md).
 */
export interface ServerFeatures {
  /** `POST /responses/compact`. */
  readonly compaction: boolean;
  /** Tools that are not functions: freeform text in a grammar. */
  readonly customTools: boolean;
  /** `include` with `reasoning.encrypted_content`: reasoning that only the server can read. */
  readonly encryptedReasoning: boolean;
  readonly images: boolean;
  /** `prompt_cache_key`. */
  readonly promptCacheKey: boolean;
  /** `reasoning.summary`. */
  readonly reasoningSummaries: boolean;
  /** `store`. */
  readonly store: boolean;
  /** The hosted web search. */
  readonly webSearch: boolean;
}

/** The features that decide what stands in the prefix of a thread's requests: there they stay as they were. */
export type RequestForm = Pick<ServerFeatures, "customTools" | "images" | "webSearch">;

/** The name of one feature of a server. */
export type ServerFeature = keyof ServerFeatures;
