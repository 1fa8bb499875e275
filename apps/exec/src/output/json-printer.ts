import type { EventPrinter } from "./event-printer.ts";
import type { LineWriter } from "./line-writer.ts";

/** `--json`: one event a line on stdout, and nothing else there. Live deltas are left out: `item.completed` has the whole. */
export function createJsonPrinter(stdout: LineWriter): EventPrinter {
  return {
    async print(event) {
      if (event.type !== "item.delta") await stdout.write(`${JSON.stringify(event)}\n`);
    },
  };
}
