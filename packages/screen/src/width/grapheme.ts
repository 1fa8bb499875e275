/** The text in what a person takes for its characters (grapheme clusters, UAX 29), in order; nothing is left out. */
export function splitGraphemes(text: string): string[] {
  if (isPlainAscii(text)) return text.split("");
  return Array.from(segmenter.segment(text), (piece) => piece.segment);
}

/** Whether each character of the text is printable ASCII: one UTF-16 unit, one cell. */
export function isPlainAscii(text: string): boolean {
  return plainAscii.test(text);
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const plainAscii = /^[ -~]*$/;
