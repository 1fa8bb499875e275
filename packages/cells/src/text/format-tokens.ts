/** `950`, `12.3k`, `128k`, `1.2M`. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${trim(count / 1000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

function trim(number: number): string {
  return number >= 99.95 ? String(Math.round(number)) : number.toFixed(1).replace(/\.0$/, "");
}
