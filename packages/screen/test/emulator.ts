import headless from "@xterm/headless";

// It takes all of a buffer's memory for its own, which does not hold for small buffers that share theirs.
const { poolSize } = Buffer;
Buffer.poolSize = 0;
const { UnicodeGraphemesAddon } = await import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = poolSize;

/** A terminal that bytes are replayed into, to be looked at. */
export interface Emulator {
  write(bytes: string): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Every row from the first of the scrollback on. */
  rows(): string[];
  /** The rows that are seen. */
  visible(): string[];
  /** The rows joined where the terminal itself wrapped them. */
  lines(): string[];
  /** The character in a cell that is seen, each from 0. */
  cell(row: number, column: number): string;
  cursor(): { row: number; column: number };
  /** Its replies to queries since the last call. */
  answers(): string;
  modes(): { bracketedPasteMode: boolean; sendFocusMode: boolean };
}

/** `cuts`: a terminal that does not rewrap lines at another width; `parts`: one that joins no characters and knows no new emoji. */
export function createEmulator(
  columns: number,
  rows: number,
  kind: "reflows" | "cuts" | "parts" = "reflows",
): Emulator {
  const windowsPty = kind === "cuts" ? { backend: "conpty" as const, buildNumber: 19_000 } : {};
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 100_000,
    allowProposedApi: true,
    windowsPty,
  });
  if (kind !== "parts") terminal.loadAddon(new UnicodeGraphemesAddon());
  let answered = "";
  terminal.onData((data) => (answered += data));
  const buffer = () => terminal.buffer.active;
  const readRows = (first: number): string[] =>
    Array.from(
      { length: buffer().baseY + terminal.rows - first },
      (_, index) =>
        buffer()
          .getLine(first + index)
          ?.translateToString(true) ?? "",
    );
  return {
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    resize: (nextColumns, nextRows) => terminal.resize(nextColumns, nextRows),
    rows: () => readRows(0),
    visible: () => readRows(buffer().baseY),
    lines() {
      const lines: string[] = [];
      for (let index = 0; index < buffer().length; index += 1) {
        const row = buffer().getLine(index);
        const text = row?.translateToString(buffer().getLine(index + 1)?.isWrapped !== true) ?? "";
        if (row?.isWrapped === true) lines.push(lines.pop() + text);
        else lines.push(text);
      }
      return lines;
    },
    cell: (row, column) =>
      buffer()
        .getLine(buffer().baseY + row)
        ?.getCell(column)
        ?.getChars() ?? "",
    cursor: () => ({ row: buffer().cursorY + 1, column: buffer().cursorX + 1 }),
    answers() {
      const taken = answered;
      answered = "";
      return taken;
    },
    modes: () => terminal.modes,
  };
}
