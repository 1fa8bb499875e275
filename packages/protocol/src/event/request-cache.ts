/**
 * How a request stood to the cache of its provider. "The request before" is the last one of the thread that was answered,
 * perhaps by another process. Field names are the wire's.
 */
export interface RequestCache {
  /** Bytes of the request from its first up to the end of its input: what the next one may share. */
  readonly prefix_bytes: number;
  /** Of them those that are provably the same, from the first on, as those of the request before; 0 where there is none. */
  readonly shared_bytes: number;
  /** The same in tokens, estimated by what the server counted for the request before; 4 bytes a token where it did not. */
  readonly shared_tokens: number;
  /** Cached tokens by the server's count; null: it does not say. */
  readonly cached_tokens: number | null;
  /** Input tokens that the server put into its cache; null: it does not say. */
  readonly cache_write_tokens: number | null;
  /** From when the request before was sent until this one was; null: there is none, or nobody looked at a clock. */
  readonly idle_ms: number | null;
  /** Why the cache did not hold all that the request before had sent; null: it did, or there was no request before. */
  readonly miss: CacheMiss | null;
}

/** Why the server had less of a request cached than it could have: the request was another one, or the server's cache was. */
export type CacheMiss = CacheBreak | ServerMiss;

/** The input differs from the one before: only the common beginning can be cached. */
export interface CacheBreak {
  readonly type:
    | "model_changed"
    | "provider_changed"
    | "instructions_changed"
    | "tools_changed"
    /** A setting in front of the input has changed. */
    | "settings_changed"
    /** A new epoch began (`epoch.opened`), for example by a compaction. */
    | "epoch_opened"
    /** It was made beside a turn, for a compaction for example, with another input. */
    | "other_input"
    /** Items have other bytes than those sent: the file was repaired, or someone changed it. */
    | "history_changed"
    /** Another program began the thread, and did not write down how its requests began. */
    | "other_program";
  readonly first_difference: FirstDifference;
  /** One clause for people. */
  readonly cause: string;
}

/** The first thing that is not as it was. */
export interface FirstDifference {
  /** Its place in the input, from 0; null: it is in front of the input, or unknown. */
  readonly index: number | null;
  /** The type of the item now at that place, otherwise the field's name (`tools`); `end`: there is none. */
  readonly type: string;
}

/** The same was sent again, and the server did not have it, or did not say. */
interface ServerMiss {
  readonly type:
    | "not_reported"
    /** Providers cache nothing under 1,024 tokens. */
    | "too_short"
    /** The request before was so long ago that providers forget it. */
    | "expired"
    | "unexplained";
  /** One clause for people. */
  readonly cause: string;
}
