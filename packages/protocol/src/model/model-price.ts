/** What a model costs by its provider's public list, in USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Of input that the provider had cached. */
  readonly cachedInput: number;
  readonly output: number;
}
