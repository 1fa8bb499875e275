import { createChance } from "../create-chance.ts";
import { type FuzzTargetName, openFuzzTarget } from "./open-fuzz-target.ts";
import { mutate } from "./mutate.ts";
import { readCorpus } from "./read-corpus.ts";

export interface FuzzPlan {
  readonly target: FuzzTargetName;
  readonly seed: number;
  /** Whether one more is tried after so many. */
  readonly goesOn: (tried: number) => boolean;
}

export interface FuzzOutcome {
  readonly tried: number;
  /** The first input that broke a law; null: none did. */
  readonly found: { readonly bytes: Uint8Array; readonly error: unknown } | null;
}

/** One that takes longer, in ms of a processor, takes more than linear time. */
const longestMs = 10_000;

/** Tries the corpus as it is, then changed in ever other ways, until one input breaks a law. */
export async function fuzz({ target, seed, goesOn }: FuzzPlan): Promise<FuzzOutcome> {
  await using opened = await openFuzzTarget(target);
  const chance = createChance(seed);
  const inputs = readCorpus(target).map(({ bytes }) => bytes);
  let tried = 0;
  for (; tried < inputs.length || goesOn(tried); tried++) {
    const bytes = inputs[tried] ?? mutate(inputs, chance);
    const before = process.threadCpuUsage();
    try {
      await opened.check(bytes);
    } catch (error) {
      return { tried: tried + 1, found: { bytes, error } };
    }
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    if (took > longestMs)
      return { tried: tried + 1, found: { bytes, error: new Error(`It took ${took.toFixed(0)} ms.`) } };
  }
  return { tried, found: null };
}
