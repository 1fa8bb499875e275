import type { Chance } from "../create-chance.ts";

const hourMs = 3_600_000;
/** The chance that reading the wall clock finds it changed. */
const jumps = 0.01;

/** How far the wall clock is from the true time, in ms: somebody sets it back and on. */
export function createClockShift(chance: Chance): () => number {
  let shift = 0;
  return () => {
    if (chance.happens(jumps)) shift = Math.round((chance.next() - 0.5) * chance.pick(2000, hourMs, 24 * hourMs));
    return shift;
  };
}
