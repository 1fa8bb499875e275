import { type JournalEntry, listStoredTurns, readUserInput, type ResponseItem } from "@unroll/protocol";
import { shortenText, toShownText } from "@unroll/text";
import type { ThreadSource } from "../../terminal-threads.ts";
import { confirmResending } from "../confirm-resending.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

const shownCharacters = 70;

export const rewindCommand: TerminalCommand = {
  name: "rewind",
  description: "go back to before one of your messages; files don't change",
  argument: null,
  timing: "between_turns",
  isHarmless: true,
  async run(context) {
    const { thread, threads, choose, prefill, showPast, tell } = context;
    if (thread.isEphemeral) return tell("This thread is not saved, so you cannot rewind it.");
    const entries = await thread.entries();
    const messages = listMessages(entries);
    if (messages.length === 0) return tell("You have not sent a message yet.");
    const options = messages.toReversed().map(({ turn, text }) => ({
      value: String(turn),
      label: shortenText(toShownText(text).replaceAll(/\s+/g, " "), shownCharacters),
      description: `turn ${turn}`,
    }));
    const chosen = await choose({ title: "Go back to before which message?", options });
    const message = messages.find(({ turn }) => String(turn) === chosen);
    if (message === undefined) return;
    const wanted = entries.slice(0, message.start);
    if (!(await confirmResending(context, `Go back to before turn ${message.turn}?`, { now: entries, wanted }))) return;
    if (thread.isSaved) await threads.rewind(message.turns);
    else await threads.open(toSource(thread, message));
    await showPast();
    tell(
      `You are back before turn ${message.turn}. Files are unchanged. To keep both versions, /fork before you /rewind.`,
    );
    prefill(message.text);
  },
};

/** A copy without a turn of its own is not saved yet: it is made again, with fewer turns. */
function toSource({ id, forkedFrom }: CommandContext["thread"], { turn }: PastMessage): ThreadSource {
  return turn === 1 ? { type: "new" } : { type: "fork", id: forkedFrom ?? id, turns: turn - 1 };
}

interface PastMessage {
  /** Number of its turn, from 1. */
  readonly turn: number;
  /** Turns from this one to the last. */
  readonly turns: number;
  /** Index of its first journal entry. */
  readonly start: number;
  readonly text: string;
}

/** Your first message of each turn that was not rewound. */
function listMessages(entries: readonly JournalEntry[]): readonly PastMessage[] {
  const starts = entries.flatMap(({ type }, at) => (type === "turn.started" ? [at] : []));
  return listStoredTurns(entries).flatMap(({ number, start }, at, { length }) => {
    const own = entries.slice(start, starts[number]);
    const [text] = own.flatMap((entry) => (entry.type === "item" ? (readText(entry.item.item) ?? []) : []));
    return text === undefined ? [] : [{ turn: number, turns: length - at, start, text }];
  });
}

function readText(item: ResponseItem): string | null {
  const input = readUserInput(item);
  return input && input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
