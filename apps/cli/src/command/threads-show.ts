import { accountThread } from "@unroll/accounting";
import { createHost, findThreadId, type ProcessIo } from "@unroll/program";
import { type JournalEntry, listLiveItems } from "@unroll/protocol";
import { describeAccount } from "@unroll/report";
import { showHidden } from "@unroll/text";
import { readPrices } from "@unroll/use-cases/prices";
import { renderItem } from "@unroll/report";
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
      let turn = 0;
      for (const entry of entries) {
        if (entry.type === "turn.started") turn += 1;
        if (entry.type === "turn.started" || turn > 0) for (const text of render(entry, turn)) yield showHidden(text);
      }
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

function render(entry: JournalEntry, turn: number): readonly string[] {
  switch (entry.type) {
    case "turn.started":
      return [`\nturn ${turn}`];
    case "turn.ended":
      return entry.outcome.type === "completed" ? [] : [`(the turn was ${describeEnd(entry.outcome)})`];
    case "epoch":
      return [`(begun anew with ${entry.items.length} items: ${entry.cause})`];
    case "epoch.undone":
      return ["(returned to what was sent before it was begun anew)"];
    case "item":
      return renderItem(entry.item.item);
    case "thread.opened":
    case "item.ended":
    case "told":
    case "thread.rewound":
    case "request":
    case "settings":
    case "note":
    case "items.reserved":
      return [];
  }
}

function describeEnd(outcome: Extract<JournalEntry, { readonly type: "turn.ended" }>["outcome"]): string {
  return outcome.type === "failed" ? `not completed: ${outcome.error.message}` : outcome.type;
}
