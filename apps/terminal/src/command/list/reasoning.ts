import { chooseNamed, listNames } from "../choose-named.ts";
import type { ReasoningView, TerminalCommand } from "../terminal-command.ts";

const views: readonly { readonly value: ReasoningView; readonly description: string }[] = [
  { value: "shown", description: "all of it, as it comes" },
  { value: "folded", description: "its first line; ^T shows all" },
  { value: "hidden", description: "nothing of it" },
];

export const reasoningCommand: TerminalCommand = {
  name: "reasoning",
  description: "how much you see of what the model thinks, from here on",
  argument: listNames(views),
  timing: "always",
  async run(context, argument) {
    const title = "What the model thinks, from here on";
    const found = await chooseNamed(context, argument, { title, noun: "view", options: views });
    if (found === null) return;
    context.showReasoning(found.value);
    context.tell(`Reasoning: ${found.value}: ${found.description}.`);
  },
};
