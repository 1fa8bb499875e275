/** Prices of tokens, in USD per million. */
export interface TokenRates {
  readonly input: number;
  /** Of input that the provider had cached. */
  readonly cachedInput: number;
  /** Of input that the provider puts into its cache; absent: as other input. */
  readonly cacheWrite?: number;
  readonly output: number;
}

/** A model's price by its provider's public list. */
export interface ModelPrice extends TokenRates {
  /** The price of a whole request whose input is longer; absent: the same. */
  readonly long?: TokenRates & {
    /** In tokens: an input of so many is not long yet. */
    readonly above: number;
  };
}
