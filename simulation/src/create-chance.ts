/** All that is left to chance in one simulated thread, from its seed. */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** From 0 up to but not including `bound`. */
  below(bound: number): number;
  /** True so often: 0.1 is once in ten times. */
  happens(part: number): boolean;
  /** One of them; those named more often come more often. */
  pick<Value>(first: Value, ...others: readonly Value[]): Value;
}

/** Random choices from a seed of 0 up to 2^32; different seeds give unrelated choices. SplitMix32. */
export function createChance(seed: number): Chance {
  let state = mix(seed + 1); // neighbouring seeds begin far from each other: else one would continue as the other

  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 2 ** 32;
  }

  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    happens: (part) => next() < part,
    pick(first, ...others) {
      return [first, ...others][below(others.length + 1)] ?? first;
    },
  };
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
