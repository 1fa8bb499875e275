import type { JournalEntry, ResponseItem } from "@unroll/protocol";
import { shortenText, showHidden } from "@unroll/text";
import { readSaid } from "../../text/read-said.ts";
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
      label: shortenText(showHidden(text).replaceAll(/\s+/g, " "), shownCharacters),
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

/** What the person said first in each turn. */
function listMessages(entries: readonly JournalEntry[]): readonly PastMessage[] {
  const found = new Map<number, string>();
  let turn = 0;
  for (const entry of entries) {
    if (entry.type === "turn.started") turn += 1;
    if (entry.type !== "item" || turn === 0) continue;
    const text = readPerson(entry.item.item);
    if (text !== null && !found.has(turn)) found.set(turn, text);
  }
  return [...found].map(([at, text]) => ({ turn: at, text }));
}

function readPerson(item: ResponseItem): string | null {
  if (item.type !== "message" || item.role !== "user") return null;
  const text = item.content.map((part) => ("text" in part ? part.text : "")).join("");
  return readSaid(text);
}
