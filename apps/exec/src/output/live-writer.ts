import type { LineWriter, ProcessIo } from "@unroll/program";
import type { ThreadEvent } from "@unroll/protocol";
import { foldLine, toShownText } from "@unroll/text";
import type { RenderOptions } from "@unroll/view";

/**
 * Writes to a terminal whose last row shows, while a command runs, for how long by now and what it wrote last. That row goes before
 * anything else is written, and leaves nothing behind.
 */
export interface LiveWriter extends LineWriter {
  /** The row's inputs. */
  see(event: ThreadEvent): void;
}

const tickMs = 1000;
/** However much a command writes, the row is painted no more often. In ms. */
const shortestMs = 100;
/** Of ECMA-48: to the first column, and the rest of the row is empty. */
const clearRow = "\r\u001b[K";
/** More of a line no row shows. In UTF-16 units. */
const maxTail = 2000;

interface RunningCommand {
  readonly startedAt: number;
  /** Its last line that is not empty, as far as it came. */
  tail: string;
}

type TerminalIo = Pick<ProcessIo, "stderr" | "elapsed" | "sleep">;

export function createLiveWriter(lines: LineWriter, io: TerminalIo, style: RenderOptions["style"]): LiveWriter {
  const row = createLiveRow(io, style);
  const write = (text: string): Promise<void> => {
    const shown = `${row.erase()}${text}`;
    return shown === "" ? Promise.resolve() : lines.write(shown);
  };
  return {
    write,
    async flush() {
      row.end();
      await write("");
      await lines.flush();
    },
    see(event) {
      if (event.type === "item.started" && event.item.type === "command_execution") row.begin(event.item.id);
      else if (event.type === "item.delta") row.grow(event.item_id, event.delta);
      else if (event.type === "item.completed") row.finish(event.item.id);
      else if (event.type === "turn.completed" || event.type === "turn.failed") row.end();
    },
  };
}

interface LiveRow {
  begin(id: string): void;
  grow(id: string, delta: string): void;
  finish(id: string): void;
  end(): void;
  /** Takes it away: empty where it is not there. */
  erase(): string;
}

function createLiveRow(io: TerminalIo, style: RenderOptions["style"]): LiveRow {
  const running = new Map<string, RunningCommand>();
  let isShown = false;
  let paintedAt = -Infinity;
  let ticking: AbortController | null = null;

  function paint(): void {
    const command = [...running.values()].at(-1);
    const { stream } = io.stderr;
    if (command === undefined || stream.writableNeedDrain) return;
    isShown = true;
    paintedAt = io.elapsed();
    const row = renderRow(command, paintedAt, io.stderr.size()?.columns ?? 80);
    stream.write(`${clearRow}${style("dim", row)}`);
  }

  async function tick({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await io.sleep(tickMs, signal);
      if (running.size > 0 && io.elapsed() - paintedAt >= tickMs) paint();
    }
  }

  function end(): void {
    running.clear();
    ticking?.abort();
    ticking = null;
  }

  return {
    begin(id) {
      running.set(id, { startedAt: io.elapsed(), tail: "" });
      if (ticking === null) tick((ticking = new AbortController())).catch(end);
    },
    grow(id, delta) {
      const command = running.get(id);
      if (command === undefined) return;
      command.tail = takeLastLine(command.tail + delta);
      if (io.elapsed() - paintedAt >= shortestMs) paint();
    },
    finish(id) {
      running.delete(id);
      if (running.size === 0) end();
    },
    end,
    erase() {
      if (!isShown) return "";
      isShown = false;
      return clearRow;
    },
  };
}

/** In one row: the last column stays free, because some terminals wrap there. */
function renderRow({ startedAt, tail }: RunningCommand, now: number, columns: number): string {
  const seconds = Math.floor((now - startedAt) / 1000);
  const said = toShownText(tail).replaceAll(/\s+/g, " ");
  return foldLine(`  ${seconds} s  ${said}`.trimEnd(), columns - 1)[0] ?? "";
}

/** Text after a line's end starts another line. */
function takeLastLine(text: string): string {
  const last =
    text
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1) ?? "";
  return `${last.slice(-maxTail)}${/[\r\n]$/.test(text) ? "\n" : ""}`;
}
