import type { ShellWord } from "../command/shell-word.ts";

const prints = /^(?:\+.*|-u|-R|--utc|--universal|-I\w*|--iso-8601(?:=\w+)?|--rfc-(?:3339=\w+|email)|--date=.*)$/s;

/** `date` that prints a time. Any word but a format sets the clock. */
export function isSafeDate(words: readonly ShellWord[]): boolean {
  return words.slice(1).every((word, index) => {
    if (word.kind !== "static") return false;
    return prints.test(word.text) || word.text === "-d" || words[index]?.text === "-d";
  });
}
