import { invisible } from "./invisible.ts";

/** A text without the characters that show nothing, and where those were. */
export interface SplitText {
  readonly bare: string;
  readonly gaps: readonly Gap[];
}

export interface Gap {
  /** Before which character of the bare text; its length: at the end. */
  readonly at: number;
  readonly text: string;
}

/** Between the characters of a secret, nobody sees them. A carriage return belongs to the end of its line. */
const gap = new RegExp(String.raw`(?:[${invisible}[\p{Cc}--[\n\r\t]]]|\r(?!\n))+`, "gv");

/**
 * Splits a text into what is seen and the gaps. Control characters count as gaps, too, except line feeds, tabs, and the carriage
 * return in front of a line feed. A piece of a text must not end with a carriage return.
 */
export function splitInvisible(text: string): SplitText {
  const gaps: Gap[] = [];
  let count = 0;
  const bare = text.replaceAll(gap, (found, offset: number) => {
    gaps.push({ at: offset - count, text: found });
    count += found.length;
    return "";
  });
  return { bare, gaps };
}
