import { locateKeys } from "./locate-keys.ts";

export interface WrongDate {
  readonly offset: number;
  /** What it should be, to follow "expected". */
  readonly expected: string;
}

/** Nearly no file has a text that looks so: the others are not read once more. */
const maybeWrong = /-02-(?:29|30|31)|-(?:04|06|09|11)-31|[+-]\d{4}(?![\d-])/;

/**
 * The first date that TOML forbids and our reader takes all the same: a day that its month does not have, which it makes a later
 * one, and an offset without a colon. The text must have parsed.
 */
export function findWrongDate(text: string): WrongDate | null {
  if (!maybeWrong.test(text)) return null;
  const wrong: WrongDate[] = [];
  locateKeys(text, (value, offset) => {
    const expected = findFault(value);
    if (expected !== null) wrong.push({ offset, expected });
  });
  return wrong[0] ?? null;
}

function findFault(value: string): string | null {
  const [, year = "", month = "", day = "", rest = ""] = /^(\d{4})-(\d{2})-(\d{2})(.*)$/.exec(value) ?? [];
  if (year === "") return null;
  const found = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (found.getUTCDate() !== Number(day)) return "a day that its month has";
  return /[+-]\d{4}$/.test(rest) ? "a colon between the hours and the minutes of the offset, like +09:00" : null;
}
