import { groupDigits } from "./group-digits.ts";

/** A count with its noun: `1 line`, `2 lines`, `1,234 lines`. `plural`: for nouns that do not just take an `s`. */
export function pluralize(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`;
}
