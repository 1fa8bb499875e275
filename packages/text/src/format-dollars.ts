/** An amount for people, to a hundredth of a cent: `$0.0057`, `$2`. */
export function formatDollars(usd: number): string {
  return `$${Number(usd.toFixed(4))}`;
}
