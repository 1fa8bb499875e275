import type { JournalEntry } from "@unroll/protocol";
import type { TerminalCommand } from "../terminal-command.ts";

export const copyCommand: TerminalCommand = {
  name: "copy",
  description: "copy the last answer, or a code block of it",
  argument: "[code|N]",
  timing: "always",
  async run({ conversation, copy, tell }, argument) {
    const answer = findLastAnswer(await conversation.entries());
    if (answer === null) return tell("There is no answer yet.");
    if (argument === "") return tell(await copy(answer));
    const { listCodeBlocks } = await import("@unroll/cells");
    const blocks = listCodeBlocks(answer);
    const at = argument === "code" ? blocks.length : Number(argument);
    const block = blocks[at - 1];
    if (block === undefined) return tell(explainBlocks(blocks.length));
    tell(await copy(block.text));
  },
};

function explainBlocks(count: number): string {
  if (count === 0) return "The last answer has no code block: /copy copies all of it.";
  return `The last answer has ${count} code ${count === 1 ? "block" : "blocks"}: /copy 1 copies the first.`;
}

function findLastAnswer(entries: readonly JournalEntry[]): string | null {
  const last = entries.findLast(
    (entry) => entry.type === "item" && entry.item.item.type === "message" && entry.item.item.role === "assistant",
  );
  if (last?.type !== "item" || last.item.item.type !== "message") return null;
  return last.item.item.content.map((part) => ("text" in part ? part.text : "")).join("");
}
