import {
  createKeyParser,
  createPainter,
  createScreen,
  emptyComposer,
  pressKey,
  renderComposer,
  type Screen,
  type StyledLine,
  themes,
  wrapLine,
} from "@unroll/screen";
import type { BenchOptions, BenchResult } from "./bench.ts";
import { median } from "./statistics.ts";

export const name = "screen";

const columns = 120;
const rows = 40;
const streamTarget = 500; // ms of CPU in 10 s
const echoTarget = 10; // ms
const memoryTarget = 30; // MiB over what the process had
const pauseTarget = 100; // ms

/** Measures the terminal program's screen by itself: its bytes are made and thrown away. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const before = process.memoryUsage().rss;
  const history = commitCells(6_000);
  const memory = (process.memoryUsage().rss - before) / 2 ** 20;
  const stream = median(Array.from({ length: rounds }, streamTenSeconds));
  const echo = Array.from({ length: 500 }, measureEcho).toSorted((left, right) => left - right);
  const p95 = echo[Math.floor(echo.length * 0.95)] ?? Number.NaN;
  const resize = measureResize(history.screen);
  return {
    name,
    rows: [
      toRow("10 s of 5,000 deltas a second, in 30 frames a second", stream, { unit: "ms CPU", bound: streamTarget }),
      toRow("what a key did as bytes, p95", p95, { unit: "ms", bound: echoTarget }),
      toRow("6,000 cells (72,000 lines) written", history.ms, { unit: "ms CPU" }),
      toRow("memory behind them", memory, { unit: "MiB", bound: memoryTarget }),
      toRow("another width", resize, { unit: "ms", bound: pauseTarget }),
    ],
  };
}

function toRow(
  label: string,
  value: number,
  { unit, bound }: { unit: string; bound?: number },
): BenchResult["rows"][number] {
  return bound === undefined
    ? { label, value, unit }
    : { label, value, unit, target: `<= ${bound} ${unit}`, ok: value <= bound };
}

function open(): Screen {
  const [theme] = themes;
  if (theme === undefined) throw new Error("there is no theme");
  return createScreen({ columns, rows, painter: createPainter({ theme, colors: "truecolor", hasLinks: true }) });
}

/** Mixed text, some of it wide, with looks. */
function makeLine(index: number): StyledLine {
  const text =
    index % 7 === 0
      ? `line ${index} 日本語の文章 and an emoji 👍🏽`
      : `line ${index} of what was answered, ${"word ".repeat(12)}`;
  return { spans: [{ text: "• ", roles: ["accent"] }, { text }], wrap: index % 3 === 0 ? "verbatim" : "words" };
}

function commitCells(cells: number): { screen: Screen; ms: number } {
  const screen = open();
  const start = process.cpuUsage();
  for (let cell = 0; cell < cells; cell += 1) {
    screen.commit(Array.from({ length: 12 }, (_, index) => makeLine(cell * 12 + index)));
    screen.frame();
  }
  return { screen, ms: toMs(process.cpuUsage(start)) };
}

function streamTenSeconds(): number {
  const screen = open();
  const composer = renderComposer(
    { ...emptyComposer, text: "what comes next", caret: 15 },
    { columns, maxRows: 8, history: [] },
  );
  const start = process.cpuUsage();
  let paragraph = "";
  for (let frame = 0; frame < 300; frame += 1) {
    for (let delta = 0; delta < 167; delta += 1) paragraph += delta % 40 === 0 ? "日本 " : "word";
    const line: StyledLine = { spans: [{ text: paragraph }], wrap: "words" };
    if (frame % 7 === 6) {
      screen.commit([line]);
      paragraph = "";
    }
    const tail = Array.from({ length: 10 }, (_, index) => [
      { text: `tail ${frame + index}`, roles: ["muted" as const] },
    ]);
    screen.setLive([
      { rows: wrapLine(line, columns - 1), yields: "oldest" },
      { rows: tail, yields: "oldest" },
      { ...composer, yields: "never" },
      { rows: [[{ text: `working ${frame}` }]], yields: "never" },
    ]);
    screen.frame();
  }
  return toMs(process.cpuUsage(start));
}

function measureEcho(): number {
  const screen = open();
  const context = { columns, maxRows: 8, history: [] };
  const text = "a draft of some rows ".repeat(20);
  const start = performance.now();
  for (const event of createKeyParser().feed(Uint8Array.of(97))) {
    if (event.type !== "key") continue;
    const { composer } = pressKey({ ...emptyComposer, text, caret: 10 }, event, context);
    screen.setLive([{ ...renderComposer(composer, context), yields: "never" }]);
    screen.frame();
  }
  return performance.now() - start;
}

function measureResize(screen: Screen): number {
  screen.setLive([{ rows: Array.from({ length: 20 }, () => [{ text: "row ".repeat(25) }]), yields: "never" }]);
  screen.frame();
  const start = performance.now();
  screen.resize({ columns: 60, rows: 20 });
  screen.settle({ row: 18, column: 1 });
  screen.frame();
  return performance.now() - start;
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
