import { type JournalEntry, replayThread } from "@unroll/protocol";
import { pluralize } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

export const copyCommand: TerminalCommand = {
  name: "copy",
  description: "copy the last answer, or one of its code blocks",
  argument: "[code|N]",
  choices: () => [{ value: "code", description: "the last code block of the answer" }],
  timing: "always",
  async run({ thread, copy, tell }, argument) {
    const answer = findLastAnswer(await thread.entries());
    if (answer === null) return tell("There is no answer yet.");
    if (argument === "") return tell(await copy(answer));
    const { listCodeBlocks } = await import("@unroll/cells");
    const blocks = listCodeBlocks(answer);
    const block = blocks[(argument === "code" ? blocks.length : Number(argument)) - 1];
    tell(block === undefined ? explainBlocks(blocks.length) : await copy(block.text));
  },
};

function explainBlocks(count: number): string {
  if (count === 0) return "The last answer has no code block: /copy copies all of it.";
  return `The last answer has ${pluralize(count, "code block")}: /copy 1 copies the first.`;
}

function findLastAnswer(entries: readonly JournalEntry[]): string | null {
  const answers = [...replayThread(entries)].flatMap((event) =>
    event.type === "item.completed" && event.item.type === "agent_message" ? [event.item.text] : [],
  );
  return answers.at(-1) ?? null;
}
