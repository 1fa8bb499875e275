/** A line, or how many bytes a longer one had that was passed over. */
export type Line =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "too_long"; readonly bytes: number };

/** Images are sent as text within a line. */
export const maxLineBytes: number = 64 * 1024 * 1024;

/** The lines of a client. No more than the longest line is held; empty ones are left out. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;

  function take(piece: Buffer): void {
    bytes += piece.length;
    if (bytes > maxLineBytes) pieces = [];
    else pieces.push(piece);
  }

  function end(): Line {
    const line: Line =
      bytes > maxLineBytes
        ? { type: "too_long", bytes }
        : { type: "line", text: Buffer.concat(pieces).toString("utf8").trim() };
    [pieces, bytes] = [[], 0];
    return line;
  }

  for await (const chunk of input) {
    const buffer =
      typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, start)) {
      take(buffer.subarray(start, at));
      start = at + 1;
      const line = end();
      if (line.type === "too_long" || line.text !== "") yield line;
    }
    take(buffer.subarray(start));
  }
  const last = end();
  if (last.type === "too_long" || last.text !== "") yield last;
}
