import { type Line, readLines } from "@unroll/text";

/** Images are sent as text within a line. */
export const maxLineBytes: number = 64 * 1024 * 1024;

/** The lines of a client, without blanks around them. No more than the longest line is held; empty ones are left out. */
export async function* readClientLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line, void> {
  for await (const line of readLines(input, maxLineBytes)) {
    if (line.type === "oversized") {
      yield line;
      continue;
    }
    const text = line.text.trim();
    if (text !== "") yield { type: "line", text };
  }
}
