/**
 * Shares a number of cents between people. The shares differ by at most one cent;
 * the people named first pay the cents that are left over.
 */
export function splitEvenly(cents, people) {
  if (people.length === 0) throw new RangeError("a bill needs at least one person");
  const share = Math.round(cents / people.length);
  const leftOver = cents - share * people.length;
  const extra = (index) => (index < leftOver ? 1 : 0);
  return people.map((person, index) => ({ person, cents: share + extra(index) }));
}
