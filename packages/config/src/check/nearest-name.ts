/** The name that was probably meant: the one with the fewest typing errors between, null where all are too far. */
export function findNearestName(written: string, names: readonly string[]): string | null {
  const limit = Math.ceil(written.length / 3);
  const [nearest] = names
    .filter((name) => Math.abs(name.length - written.length) <= limit)
    .map((name) => ({ name, distance: countEdits(written, name) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name ?? null;
}

/** Levenshtein distance, case aside. */
function countEdits(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 0; i < left.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < right.length; j += 1) {
      const replaced = (row[j] ?? 0) + (left.charCodeAt(i) === right.charCodeAt(j) ? 0 : 1);
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
