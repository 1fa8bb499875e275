/**
 * Whether Markdown makes nothing of the text: lines that begin with a letter, with no character that could mark anything. Such a
 * paragraph is shown as it is; reading it with each word that comes would cost more than all else that is done for it.
 */
export function isPlainProse(text: string): boolean {
  return beginsWithLetter.test(text) && !mark.test(text);
}

const beginsWithLetter = /^\p{L}/u;
/** Marks within a line, the beginnings of links, blanks at an end (a hard break), and lines that begin with anything else. */
const mark = /[*_~`[\]<>&\\@|]|:\/\/|www\.|\s$|[ \t]\n|\n(?!\p{L})/iu;
