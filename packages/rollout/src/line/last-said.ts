import { type JournalEntry, readTexts } from "@unroll/protocol";

/** What the model said last in the turn that runs: its final message, which is not written down a second time. */
export interface LastSaid {
  /** Null: nothing yet. */
  readonly text: string | null;
  read(entry: JournalEntry): void;
}

export function createLastSaid(): LastSaid {
  let text: string | null = null;
  return {
    get text() {
      return text;
    },
    read(entry) {
      if (entry.type === "turn.started") text = null;
      else if (entry.type === "item" && entry.item.item.type === "message" && entry.item.item.role === "assistant") {
        text = readTexts(entry.item.item.content).join("");
      }
    },
  };
}
