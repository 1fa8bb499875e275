import { describeModelSettings, explainUnsupportedEffort, listEfforts } from "@unroll/config";
import type { ReasoningEffort } from "@unroll/protocol";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

const descriptions: Readonly<Record<ReasoningEffort, string>> = {
  none: "no reasoning: answers at once",
  minimal: "hardly any reasoning",
  low: "quick",
  medium: "for most work",
  high: "for hard work; slower, more tokens",
  xhigh: "for harder work still",
  max: "as long as it takes; the slowest, and the most tokens",
};

export const effortCommand: TerminalCommand = {
  name: "effort",
  description: "how long the model reasons",
  argument: ({ modelFamily }) => `[${listEfforts(modelFamily).join("|") || "LEVEL"}]`,
  timing: "always",
  async run(context, typed) {
    const { conversation, tell } = context;
    const effort = typed === "" ? await chooseEffort(context) : typed;
    if (effort === null) return;
    const fault = explainUnsupportedEffort(effort, conversation.config);
    if (fault !== null) return tell(fault);
    conversation.change({ reasoningEffort: effort });
    tell(`Effort: ${effort}, from the next request on.`);
  },
};

/** Null: the user left the question, or there is nothing to choose from, which is told. */
async function chooseEffort({ conversation, choose, tell }: CommandContext): Promise<ReasoningEffort | null> {
  const { config } = conversation;
  const { effort: now } = describeModelSettings(config);
  const levels = listEfforts(config.modelFamily);
  if (levels.length > 0) {
    const options = levels.map((value) => ({ value, label: value, description: descriptions[value] ?? "" }));
    return choose({ title: `Effort (now: ${now})`, options });
  }
  tell(
    config.modelFamily.efforts === null
      ? `Effort: ${now}. Nobody knows which levels ${config.model} takes: /effort LEVEL sends any.`
      : `${config.model} does not reason, so it takes no effort.`,
  );
  return null;
}
