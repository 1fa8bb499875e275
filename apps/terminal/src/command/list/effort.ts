import type { ReasoningEffort } from "@unroll/protocol";
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
  argument: "[minimal|low|medium|high|xhigh]",
  timing: "always",
  async run({ conversation, choose, tell }, argument) {
    const now = conversation.config.reasoningEffort ?? "the model's own";
    const options = efforts.map(({ value, description }) => ({ value, label: value, description }));
    const wish = argument === "" ? await choose({ title: `Effort (now: ${now})`, options }) : argument;
    if (wish === null) return;
    const found = efforts.find(({ value }) => value === wish);
    if (found === undefined)
      return tell(`There is no effort "${wish}": ${efforts.map(({ value }) => value).join(", ")}.`);
    conversation.change({ reasoningEffort: found.value });
    tell(
      conversation.config.modelFamily.supportsReasoning
        ? `Effort: ${found.value}, from the next request on.`
        : `Effort: ${found.value}; ${conversation.config.model} is not known to take it, so it is not sent.`,
    );
  },
};
