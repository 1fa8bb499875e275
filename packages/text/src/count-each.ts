/** How often each word occurs, in the order in which they come first: `2 completed, 1 stopped`. */
export function countEach(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
