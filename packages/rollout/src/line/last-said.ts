import { type JournalEntry, readTexts } from "@unroll/protocol";

/** The model's last message in the running turn: its final message, which is not saved a second time. */
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
