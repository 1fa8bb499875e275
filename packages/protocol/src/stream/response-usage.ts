/** Tokens of one response as the server counts them (Responses API, `usage`). `input_tokens` includes the cached ones and those put into the cache. */
export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details?:
    | { readonly cached_tokens?: number | undefined; readonly cache_write_tokens?: number | undefined }
    | null
    | undefined;
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | undefined } | null | undefined;
  readonly total_tokens: number;
}
