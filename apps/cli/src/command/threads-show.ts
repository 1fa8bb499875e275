import { foldOutput } from "@unroll/program";
import { type JournalEntry, listLiveItems, listStoredTurns, replayThread } from "@unroll/protocol";
import { describeAccount, renderAgentsTable } from "@unroll/report";
import { reportSavedTree } from "@unroll/use-cases/cache";
import { emptyThreadView, plainStyle, reduceThread, renderCell, takeFinished } from "@unroll/view";
import type { CommandRun } from "../run-command.ts";
import { loadThread, openStore } from "./saved-thread.ts";

/** The flags of `unroll threads show`. */
export interface ShowFlags {
  readonly json?: boolean;
}

/** Returns the exit code. Throws if there is no such thread. */
export async function showThread(id: string, { json }: ShowFlags, run: CommandRun): Promise<number> {
  const { io, host, columns, write, printFolded } = run;
  const { entries, repairs } = await loadThread(id, run);
  if (json) {
    for (const { bytes } of listLiveItems(entries)) await write(toOneLine(bytes));
    return 0;
  }
  for (const text of renderThread(entries)) await write(foldOutput(text, io.stdout)); // it shows what hides already
  for (const repair of repairs) await printFolded(`(${repair})`);
  const { account, tree } = await reportSavedTree(entries, host, await openStore(run));
  const agents = renderAgentsTable(tree, { width: columns, hasCache: false });
  const lines = [...describeAccount(account), ...(agents.length === 0 ? [] : ["", ...agents])];
  for (const line of ["", ...lines]) await printFolded(line);
  return 0;
}

/** A server may have written it on several lines. */
function toOneLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(/[\r\n]/g, " ");
}

/** The thread as a text terminal would have shown it, a paragraph each. */
function* renderThread(entries: readonly JournalEntry[]): Generator<string, void> {
  const numbers = new Map(listStoredTurns(entries).map(({ id, number }) => [id, number]));
  const cwd = entries.findLast((entry) => entry.type === "settings")?.settings.cwd ?? "";
  let view = emptyThreadView;
  for (const event of replayThread(entries)) {
    if (event.type === "turn.started") yield `\nturn ${numbers.get(event.turn_id) ?? ""}`;
    const { view: rest, finished } = takeFinished(reduceThread(view, event));
    view = rest;
    for (const cell of finished) {
      const text = renderCell(cell, { style: plainStyle, showReasoning: false, cwd });
      if (text !== null) yield text;
    }
  }
}
