import { once } from "@unroll/flow";

/** The text in what a person takes for its characters (grapheme clusters, UAX 29), in order; nothing is left out. */
export function splitGraphemes(text: string): string[] {
  if (unjoinedText.test(text)) return text.split("");
  const graphemes: string[] = [];
  let taken = 0;
  for (const run of text.matchAll(unjoinedRun)) {
    segment(text.slice(taken, run.index), graphemes);
    taken = run.index + run[0].length;
    // A mark or a variation selector after a run may belong to the run's last character.
    if (taken < text.length) taken -= 1;
    for (let at = run.index; at < taken; at += 1) graphemes.push(text.charAt(at));
  }
  segment(text.slice(taken), graphemes);
  return graphemes;
}

/** Whether each UTF-16 unit of the text is a character of one cell. True of most text, and ten times as fast to see as to count. */
export function isSimpleText(text: string): boolean {
  return simpleText.test(text);
}

/** Whether each UTF-16 unit of the text is a character of its own, of one cell or (`isWideLetter`) of two. */
export function isUnjoinedText(text: string): boolean {
  return unjoinedText.test(text);
}

/** Whether a unit of an unjoined text is wide. */
export function isWideLetter(unit: number): boolean {
  return unit >= firstWideLetter;
}

function segment(text: string, into: string[]): void {
  if (text === "") return;
  for (const piece of segmenter().segment(text)) into.push(piece.segment);
}

/** Its rules take longer to load than all else of the first frame. */
const segmenter = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
// Besides ASCII: Latin, Cyrillic, punctuation, currencies, arrows, mathematics, boxes and blocks, check marks, Braille (spinners are
// made of it): no marks, nothing wide.
const narrow =
  "\\u00a1-\\u00ac\\u00ae-\\u024f\\u0400-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20c0\\u2190-\\u22ff\\u2500-\\u25fc\\u2713\\u2717\\u2800-\\u28ff";
const simpleText = allOf(narrow);
/** Kana, Han, Hangul: most wide characters. All of them come after the simple ones. */
const firstWideLetter = 0x3041;
const wide = "\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3";
/** Of characters that are one UTF-16 unit each, and join none of the others. */
const unjoinedText = allOf(narrow + wide);
const unjoinedRun = new RegExp(`[ -~${narrow}${wide}]{2,}`, "g");

/** Of nothing but ASCII and these characters: looked for apart, as V8 takes ten times as long for a character of many ranges. */
function allOf(characters: string): RegExp {
  return new RegExp(`^[ -~]*(?:[${characters}][ -~]*)*$`);
}
