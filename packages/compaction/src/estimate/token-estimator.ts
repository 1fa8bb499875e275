import type { ResponseItem } from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import { type ItemWeight, weighItem } from "./weigh-item.ts";

/**
 * About how many tokens something has: by its bytes and by what the thread's own responses said so far. It needs no
 * tokenizer, so it holds for any model.
 */
export interface TokenEstimator {
  /** The present estimate. */
  readonly bytesPerToken: number;
  estimate(items: readonly ResponseItem[]): number;
  estimateBytes(bytes: number): number;
  /** The server counted so many tokens for these items and for `bytes` of further text. */
  learn(counted: CountedTokens): void;
}

/** A server's count and its items, which correct the estimate. */
interface CountedTokens {
  readonly items: readonly ResponseItem[];
  /** Of text beside them. Absent: none. */
  readonly bytes?: number;
  readonly tokens: number;
}

/** No text has fewer or more; what says so is of another kind than it seems. */
const [fewestBytesPerToken, mostBytesPerToken] = [1.2, 12];
/** Counts of less text say more of its frame than of its text. */
const leastBytes = 400;
/** The weight of the first guess, and the most that a single count weighs. */
const [guessTokens, mostTokens] = [1_000, 2_000];
/** The weight of earlier counts beside a new one: the content changes with the work. */
const fading = 0.8;

/** Estimates tokens by the bytes of encoded items, corrected by what a server counted. */
export function createTokenEstimator(): TokenEstimator {
  let [bytes, tokens] = [guessTokens * bytesPerToken, guessTokens];
  /** Items never change, and compacting weighs the whole thread several times. */
  const weights = new WeakMap<ResponseItem, ItemWeight>();

  function weighItems(items: readonly ResponseItem[]): ItemWeight {
    const sum = { bytes: 0, tokens: 0 };
    for (const item of items) {
      const weight = weights.get(item) ?? weighItem(item);
      weights.set(item, weight);
      sum.bytes += weight.bytes;
      sum.tokens += weight.tokens;
    }
    return sum;
  }

  const estimateBytes = (count: number): number => Math.ceil((count * tokens) / bytes);

  return {
    get bytesPerToken() {
      return bytes / tokens;
    },
    estimate(items) {
      const weight = weighItems(items);
      return weight.tokens + estimateBytes(weight.bytes);
    },
    estimateBytes,
    learn(counted) {
      const weight = weighItems(counted.items);
      const textBytes = weight.bytes + (counted.bytes ?? 0);
      const textTokens = counted.tokens - weight.tokens;
      const ratio = textBytes / textTokens;
      if (textBytes < leastBytes || !(ratio >= fewestBytesPerToken && ratio <= mostBytesPerToken)) return;
      const share = Math.min(1, mostTokens / textTokens);
      bytes = fading * bytes + share * textBytes;
      tokens = fading * tokens + share * textTokens;
    },
  };
}
