import { type JournalEntry, listStoredTurns, readUserInput, type ResponseItem } from "@unroll/protocol";
import { shortenText, toShownText } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

const shownCharacters = 70;

export const rewindCommand: TerminalCommand = {
  name: "rewind",
  description: "back to before an earlier message of yours, in a copy; files stay as they are",
  argument: null,
  timing: "between_turns",
  async run({ conversation, choose, prefill, showPast, tell }) {
    const said = listMessages(await conversation.entries());
    if (conversation.store === null)
      return tell("This conversation is not kept (history.persistence), so there is no way back.");
    if (said.length === 0) return tell("You have not said anything yet.");
    const options = said.toReversed().map(({ turn, text }) => ({
      value: String(turn),
      label: shortenText(toShownText(text).replaceAll(/\s+/g, " "), shownCharacters),
      description: `turn ${turn}`,
    }));
    const chosen = await choose({ title: "Go back to before", options });
    const message = said.find(({ turn }) => String(turn) === chosen);
    if (message === undefined) return;
    const { id } = conversation.thread;
    const before = message.turn - 1;
    await conversation.open(before === 0 ? { type: "new" } : { type: "fork", id, turns: before });
    if (before > 0) await showPast();
    tell(
      `Back to before turn ${message.turn}, in a copy; /resume ${id} goes back to all of it. Files are as they were left.`,
    );
    prefill(message.text);
  },
};

interface PastMessage {
  /** From 1. */
  readonly turn: number;
  readonly text: string;
}

/** What you said first in each turn that was not taken back. */
function listMessages(entries: readonly JournalEntry[]): readonly PastMessage[] {
  const starts = entries.flatMap(({ type }, at) => (type === "turn.started" ? [at] : []));
  return listStoredTurns(entries).flatMap(({ number, start }) => {
    const own = entries.slice(start, starts[number]);
    const said = own.flatMap((entry) => (entry.type === "item" ? (readText(entry.item.item) ?? []) : []));
    return said[0] === undefined ? [] : [{ turn: number, text: said[0] }];
  });
}

function readText(item: ResponseItem): string | null {
  const input = readUserInput(item);
  return input && input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
