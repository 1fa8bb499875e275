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

/** Soft hyphens, joiners, marks of direction, variation selectors, tags: between the characters of a secret, nobody sees them. */
const invisible =
  /(?:[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\u034f|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}])+/gu;

export function splitInvisible(text: string): SplitText {
  const gaps: Gap[] = [];
  let count = 0;
  const bare = text.replaceAll(invisible, (found, offset: number) => {
    gaps.push({ at: offset - count, text: found });
    count += found.length;
    return "";
  });
  return { bare, gaps };
}
