import { accountThread } from "@unroll/accounting";
import { createHost, findThreadId, type ProcessIo } from "@unroll/program";
import { type JournalEntry, listStoredTurns, listLiveItems, replayThread } from "@unroll/protocol";
import { describeAccount } from "@unroll/report";
import { showHidden } from "@unroll/text";
import { readPrices } from "@unroll/use-cases/prices";
import { emptyThreadView, plainStyle, reduceThread, renderCell, takeFinished } from "@unroll/view";
import { runThreadsCommand } from "./run-threads-command.ts";

interface ShowOptions {
  readonly id: string;
  readonly json?: boolean;
}

/** Returns the exit code: 2 where there is no such thread. */
export function showThread({ id, json }: ShowOptions, io: ProcessIo): Promise<number> {
  return runThreadsCommand(
    io,
    async function* ({ store }) {
      const { entries, repairs } = await store.load(await findThreadId(store, { name: id, cwd: io.cwd, all: false }));
      if (json) {
        for (const { bytes } of listLiveItems(entries)) yield toOneLine(bytes);
        return;
      }
      for (const text of renderThread(entries)) yield text;
      for (const repair of repairs) yield showHidden(`(${repair})`);
      yield* ["", ...describeAccount(accountThread(entries, await readPrices(createHost(io))))];
    },
    { json: json ?? false },
  );
}

/** A server may have written it over several. */
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
