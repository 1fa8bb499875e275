import { type JournalEntry, readTexts } from "@unroll/protocol";

/** The model's last message in the running turn: its final message, which is not saved a second time. */
export interface LastSaid {
  /** Null: nothing yet. */
  readonly text: string | null;
  read(entry: JournalEntry): void;
}

export function createLastSaid(): LastSaid {
  const said: { -readonly [Key in keyof LastSaid]: LastSaid[Key] } = {
    text: null,
    read(entry) {
      if (entry.type === "turn.started") said.text = null;
      else if (entry.type === "item" && entry.item.item.type === "message" && entry.item.item.role === "assistant") {
        said.text = readTexts(entry.item.item.content).join("");
      }
    },
  };
  return said;
}
