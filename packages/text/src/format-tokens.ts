import { groupDigits } from "./group-digits.ts";

/** A number of tokens for people: `950`, `12.3k`, `128k`, `1.2M`. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${trim(count / 1000)}k`;
  return `${trim(count / 1_000_000)}M`;
}

/** A limit in tokens, exact: `128k`, `8,192`. */
export function formatTokenLimit(tokens: number): string {
  return tokens % 1000 === 0 ? `${groupDigits(tokens / 1000)}k` : groupDigits(tokens);
}

function trim(number: number): string {
  return number >= 99.95 ? String(Math.round(number)) : number.toFixed(1).replace(/\.0$/, "");
}
