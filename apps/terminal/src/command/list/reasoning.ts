import { chooseNamed, listNames } from "../choose-named.ts";
import type { ReasoningView, TerminalCommand } from "../terminal-command.ts";

const views: readonly { readonly value: ReasoningView; readonly description: string }[] = [
  { value: "shown", description: "all of it, as it arrives" },
  { value: "folded", description: "its first line; /transcript shows all" },
  { value: "hidden", description: "none of it" },
];

export const reasoningCommand: TerminalCommand = {
  name: "reasoning",
  description: "choose how much of the model's reasoning you see",
  argument: listNames(views),
  choices: () => views,
  timing: "always",
  isHarmless: true,
  async run(context, argument) {
    const title = "How much reasoning do you want to see from now on?";
    const found = await chooseNamed(context, argument, { title, noun: "view", options: views });
    if (found === null) return;
    context.showReasoning(found.value);
    context.tell(`Reasoning: ${found.value} (${found.description}).`);
  },
};
