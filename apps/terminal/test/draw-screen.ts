import type { IBufferCell, Terminal } from "@xterm/headless";

export const cellWidth = 8.4;
export const rowHeight = 18;
export const margin = 14;
export const font: string = `font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14"`;
/** The sixteen colours of the person's own, as most terminals have them. */
const own = ["#6e7681", "#ff7b72", "#8fd694", "#f2c55c", "#7cc7ff", "#d2a8ff", "#7ee0d0", "#e6edf3"];
export const paper = "#0d1117";
const ink = "#e6edf3";

/** Rows of an emulator, from one to before another, as a picture (SVG). */
export function drawScreen(emulator: Terminal, { from, to }: { readonly from: number; readonly to: number }): string {
  const rows = Array.from({ length: to - from }, (_, row) =>
    drawRow(emulator, from + row, margin + (row + 1) * rowHeight - 5),
  );
  const [width, height] = [emulator.cols * cellWidth + 2 * margin, (to - from) * rowHeight + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${font}>
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
${rows.filter((row) => row !== "").join("\n")}
</svg>
`;
}

/** A row as spans of cells that look the same, with its baseline at `y`. */
export function drawRow(emulator: Terminal, at: number, y: number): string {
  const line = emulator.buffer.active.getLine(at);
  const spans: { look: string; text: string; column: number }[] = [];
  for (let column = 0; column < emulator.cols; column += 1) {
    const cell = line?.getCell(column);
    const text = cell?.getChars() || " ";
    const look = cell === undefined ? "" : toLook(cell);
    const last = spans.at(-1);
    if (last?.look === look) last.text += text;
    else spans.push({ look, text, column });
  }
  return spans
    .filter(({ text }) => text.trim() !== "")
    .map(
      ({ look, text, column }) =>
        `<text x="${(margin + column * cellWidth).toFixed(1)}" y="${y}" xml:space="preserve"${look}>${escape(text.trimEnd())}</text>`,
    )
    .join("");
}

function toLook(cell: IBufferCell): string {
  const color = cell.isFgRGB()
    ? `#${cell.getFgColor().toString(16).padStart(6, "0")}`
    : cell.isFgPalette()
      ? (own[cell.getFgColor() % 8] ?? ink)
      : ink;
  const weight = cell.isBold() ? ` font-weight="bold"` : "";
  const style = cell.isItalic() ? ` font-style="italic"` : "";
  return ` fill="${color}"${weight}${style}${cell.isDim() ? ` opacity="0.6"` : ""}`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
