import type { BatchEvent } from "@unroll/batch";
import type { ProcessIo } from "@unroll/program";
import { createBatchTable } from "./batch-table.ts";

/** The table of a batch at the bottom of a terminal, painted again each second; finished lines scroll above it. */
export interface LiveTable {
  see(event: BatchEvent): void;
  /** Takes the table away while `write` writes lines. */
  above(write: () => Promise<void>): Promise<void>;
  /** Takes it away for good. */
  end(): void;
}

const tickMs = 1000;

/** Null if stderr is not a terminal. */
export function openLiveTable(tasks: number, io: Pick<ProcessIo, "stderr" | "elapsed" | "sleep">): LiveTable | null {
  const { stream, isTerminal } = io.stderr;
  if (!isTerminal) return null;
  const table = createBatchTable(tasks, io);
  const ticking = new AbortController();
  let painted = 0;
  let writing = 0;

  function erase(): void {
    if (painted > 0) stream.write(`\u001b[${painted}A\r\u001b[J`); // of ECMA-48: up, and nothing is left below
    painted = 0;
  }

  function paint(): void {
    if (writing > 0 || ticking.signal.aborted || stream.writableNeedDrain) return;
    const size = io.stderr.size();
    const lines = table.render({ columns: size?.columns ?? 80, rows: size?.rows ?? 24 });
    const up = painted > 0 ? `\u001b[${painted}A\r\u001b[J` : "";
    stream.write(`${up}${lines.join("\n")}\n`);
    painted = lines.length;
  }

  async function tick(): Promise<void> {
    while (!ticking.signal.aborted) {
      await io.sleep(tickMs, ticking.signal);
      paint();
    }
  }

  tick().catch(() => ticking.abort()); // a stream that broke ends the batch elsewhere
  return {
    see: (event) => table.see(event),
    async above(write) {
      erase();
      writing += 1;
      try {
        await write();
      } finally {
        writing -= 1;
        paint();
      }
    },
    end() {
      ticking.abort();
      erase();
    },
  };
}
