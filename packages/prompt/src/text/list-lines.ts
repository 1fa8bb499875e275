import { countBytes } from "@unroll/text";

/** Joins as many whole lines as fit into `maxBytes` bytes, and counts the rest in a last line over that. */
export function listLines(lines: readonly string[], maxBytes: number): string {
  let room = maxBytes;
  const end = lines.findIndex((line) => {
    room -= countBytes(line) + 1;
    return room < 0;
  });
  if (end < 0) return lines.join("\n");
  return [...lines.slice(0, end), `[${lines.length - end} more are not listed here.]`].join("\n");
}
