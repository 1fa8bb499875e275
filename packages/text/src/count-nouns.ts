import { groupDigits } from "./group-digits.ts";

/** `1 line`, `1,234 lines`. `many`: the plural, where it is not the noun with an s. */
export function countNouns(count: number, noun: string, many = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : many}`;
}
