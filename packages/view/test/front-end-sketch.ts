// A second front end, in full: an inline terminal. It writes finished cells once and never again; below them is a live
// region that it erases and draws again. It tests that the view is enough for one: a pure fold, and no I/O except
// `write`.
import type { ThreadEvent } from "@unroll/protocol";
import {
  type Cell,
  emptyThreadView,
  renderCell,
  renderRetry,
  type RenderOptions,
  reduceThread,
  renderUsage,
  takeFinished,
  type ThreadView,
} from "@unroll/view";

const liveTail = 3; // lines of a running command

export function createInlineTerminal(
  options: RenderOptions,
  write: (bytes: string) => void,
): (event: ThreadEvent) => void {
  let view = emptyThreadView;
  let liveRows = 0;

  return (event) => {
    const taken = takeFinished(reduceThread(view, event));
    ({ view } = taken);
    const finished = taken.finished.map((cell) => renderCell(cell, options)).filter((text) => text !== null);
    const live = [...view.cells.flatMap(renderLive), statusLine(view)];
    const back = liveRows === 0 ? "" : `\u001b[${liveRows}A\r\u001b[J`;
    liveRows = live.length;
    write(`\u001b[?2026h${back}${[...finished, ...live].map((row) => `${row}\n`).join("")}\u001b[?2026l`);
  };

  function renderLive(cell: Cell): readonly string[] {
    if (cell.type === "item" && cell.item.type === "command_execution")
      return [`⠋ $ ${cell.item.command}`, ...cell.item.aggregated_output.trimEnd().split("\n").slice(-liveTail)];
    return [(renderCell(cell, options) ?? "").split("\n").at(-1) ?? ""];
  }

  function statusLine({ turn, retry, usage, plan, servers }: ThreadView): string {
    if (retry !== null) return renderRetry(retry);
    const done = plan?.items.filter(({ completed }) => completed).length ?? 0;
    const steps = plan === null ? "" : ` · plan ${done}/${plan.items.length}`;
    const starting = servers.filter(({ state }) => state.type === "starting").map(({ server }) => ` · mcp ${server} …`);
    return `${turn.type} · ${renderUsage(usage.thread)}${steps}${starting.join("")}`;
  }
}
