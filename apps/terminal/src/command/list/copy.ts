import { type CommandExecutionThreadItem, type JournalEntry, replayThread, type ThreadItem } from "@unroll/protocol";
import { pluralize } from "@unroll/text";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";
import { exportHere } from "./export.ts";

/** Parts of a thread. A part that the thread does not have yet is explained by a sentence. */
const parts = [
  { value: "code", description: "the last code block of the answer" },
  { value: "command", description: "the model's last command" },
  { value: "output", description: "the output of that command" },
  { value: "thread", description: "the whole thread as Markdown, as /export saves it" },
];

export const copyCommand: TerminalCommand = {
  name: "copy",
  description: "copy the last answer, or another part of the thread",
  argument: "[code|N|command|output|thread]",
  choices: () => parts,
  timing: "always",
  async run(context, part) {
    const found = await findPart(context, part);
    context.tell("missing" in found ? found.missing : await context.copy(found.text));
  },
};

type Part = { readonly text: string } | { readonly missing: string };

async function findPart(context: CommandContext, part: string): Promise<Part> {
  const items = listItems(await context.thread.entries());
  switch (part) {
    case "thread": {
      const exported = await exportHere(context, "markdown");
      return exported === null ? { missing: "There is nothing to copy yet." } : { text: exported };
    }
    case "command":
      return findCommand(items, ({ command }) => command);
    case "output":
      return findCommand(items, ({ aggregated_output: output }) => output.trimEnd());
  }
  const answer = items.findLast((item) => item.type === "agent_message");
  if (answer === undefined) return { missing: "There is no answer yet." };
  return part === "" ? { text: answer.text } : findCode(answer.text, part);
}

function findCommand(items: readonly ThreadItem[], read: (item: CommandExecutionThreadItem) => string): Part {
  const command = items.findLast((item) => item.type === "command_execution");
  if (command === undefined) return { missing: "The model has not run a command yet." };
  const text = read(command);
  return text === "" ? { missing: "The last command has no output." } : { text };
}

async function findCode(answer: string, named: string): Promise<Part> {
  const { listCodeBlocks } = await import("@unroll/cells");
  const blocks = listCodeBlocks(answer);
  const block = blocks[(named === "code" ? blocks.length : Number(named)) - 1];
  return block === undefined ? { missing: explainBlocks(blocks.length) } : { text: block.text };
}

function explainBlocks(count: number): string {
  if (count === 0) return "The last answer has no code block: /copy copies all of it.";
  return `The last answer has ${pluralize(count, "code block")}: /copy 1 copies the first.`;
}

function listItems(entries: readonly JournalEntry[]): readonly ThreadItem[] {
  return [...replayThread(entries)].flatMap((event) => (event.type === "item.completed" ? [event.item] : []));
}
