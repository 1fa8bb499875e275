import type { ReasoningEffort } from "@unroll/protocol";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { TerminalCommand } from "../terminal-command.ts";

const efforts: readonly { readonly value: ReasoningEffort; readonly description: string }[] = [
  { value: "minimal", description: "answers at once" },
  { value: "low", description: "quick" },
  { value: "medium", description: "for most work" },
  { value: "high", description: "for what is hard; slower, more tokens" },
  { value: "xhigh", description: "the most, where the model knows it" },
];

export const effortCommand: TerminalCommand = {
  name: "effort",
  description: "how long the model thinks",
  argument: listNames(efforts),
  timing: "always",
  async run(context, argument) {
    const { conversation, tell } = context;
    const title = `Effort (now: ${conversation.config.reasoningEffort ?? "the model's own"})`;
    const found = await chooseNamed(context, argument, { title, noun: "effort", options: efforts });
    if (found === null) return;
    conversation.change({ reasoningEffort: found.value });
    tell(
      conversation.config.modelFamily.supportsReasoning
        ? `Effort: ${found.value}, from the next request on.`
        : `Effort: ${found.value}; ${conversation.config.model} is not known to take it, so it is not sent.`,
    );
  },
};
