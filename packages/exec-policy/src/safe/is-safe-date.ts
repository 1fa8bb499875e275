import type { ShellWord } from "../command/shell-word.ts";

const prints = /^(?:\+.*|-u|-R|--utc|--universal|-I\w*|--iso-8601(?:=\w+)?|--rfc-(?:3339=\w+|email)|--date=.*)$/s;

/** `date` that prints a time. Any word but a format sets the clock. */
export function isSafeDate(words: readonly ShellWord[]): boolean {
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index];
    if (word?.kind !== "static") return false;
    // The next word is its value, whatever it looks like.
    if (word.text === "-d" && words[index + 1]?.kind === "static") index += 1;
    else if (!prints.test(word.text)) return false;
  }
  return true;
}
