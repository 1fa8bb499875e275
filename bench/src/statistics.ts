export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Runs the variants in turn, `rounds` times, so that a busy moment hits all alike; gives each one's results. */
export async function interleave<Name extends string, Result>(
  rounds: number,
  variants: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, readonly Result[]>> {
  const names = Object.keys(variants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await variants[name]());
  }
  return results;
}
