/** The name that was probably meant: the one with the fewest typing errors between, null where all are too far. */
export function findNearestName(written: string, names: readonly string[]): string | null {
  const limit = Math.ceil(written.length / 3);
  const [nearest] = names
    .map((name) => ({ name, distance: countEdits(written, name) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name ?? null;
}

/** Levenshtein distance, case aside. */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, left] of Array.from(a.toLowerCase()).entries()) {
    const next = [i + 1];
    for (const [j, right] of Array.from(b.toLowerCase()).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (left === right ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
