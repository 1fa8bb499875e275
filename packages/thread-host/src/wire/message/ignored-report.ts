/** Describes ignored members of requests as one line; null: it described all of them before. */
export type IgnoredReport = (method: string, places: readonly string[]) => string | null;

/** For one client: it hears of each member of a method once. */
export function createIgnoredReport(): IgnoredReport {
  const known = new Set<string>();
  return (method, places) => {
    const fresh = places.filter((place) => !known.has(`${method} ${place}`));
    for (const place of fresh) known.add(`${method} ${place}`);
    if (fresh.length === 0) return null;
    const them = fresh.length === 1 ? "this member" : "these members";
    return `${method}: ignored ${fresh.join(", ")}: unroll does not know ${them}.`;
  };
}
