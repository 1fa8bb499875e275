/** How a line of a file ends. Empty: the last line of a file without a final newline. */
export type LineEnding = "\n" | "\r\n" | "";

/** A text file, line by line, so that every line can be put back byte for byte. */
export interface TextFile {
  /** It begins with a UTF-8 byte order mark; no line holds it. */
  readonly bom: boolean;
  readonly lines: readonly string[];
  /** One for each line. A lone CR is text, not a line ending. */
  readonly endings: readonly LineEnding[];
}

const byteOrderMark = "\uFEFF";

/** Bytes as text, or why they are none: completes "<path> …". */
export function decodeText(bytes: Uint8Array): TextFile | string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return "is UTF-16 text, and only UTF-8 is patched";
  const zero = bytes.indexOf(0);
  if (zero !== -1) return `is a binary file (there is a zero byte at offset ${zero})`;
  try {
    return splitLines(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return "is not UTF-8 text";
  }
}

function splitLines(text: string): TextFile {
  const bom = text.startsWith(byteOrderMark);
  const lines: string[] = [];
  const endings: LineEnding[] = [];
  let start = bom ? 1 : 0;
  for (let end = text.indexOf("\n", start); end !== -1; end = text.indexOf("\n", start)) {
    const isCrlf = end > start && text[end - 1] === "\r";
    lines.push(text.slice(start, isCrlf ? end - 1 : end));
    endings.push(isCrlf ? "\r\n" : "\n");
    start = end + 1;
  }
  if (start < text.length) {
    lines.push(text.slice(start));
    endings.push("");
  }
  return { bom, lines, endings };
}

/** The bytes that `decodeText` reads as this file. */
export function encodeText({ bom, lines, endings }: TextFile): Uint8Array {
  const text = lines.map((line, index) => line + (endings[index] ?? "")).join("");
  return new TextEncoder().encode(bom ? byteOrderMark + text : text);
}
