/** Cuts text into pieces of at most `maxBytes` UTF-8 bytes, but never within a character. No piece is empty. */
export function cutText(text: string, maxBytes: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (piece !== "" && bytes + size > maxBytes) {
      pieces.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += character;
    bytes += size;
  }
  return piece === "" ? pieces : [...pieces, piece];
}
