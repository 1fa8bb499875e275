import { describeModelSettings, explainUnsupportedEffort, listEfforts } from "@unroll/config";
import type { ReasoningEffort } from "@unroll/protocol";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

const descriptions: Readonly<Record<ReasoningEffort, string>> = {
  none: "no reasoning: answers immediately",
  minimal: "very little reasoning",
  low: "quick",
  medium: "for most work",
  high: "for hard work; slower, more tokens",
  xhigh: "for even harder work",
  max: "as long as it takes: the slowest, with the most tokens",
};

export const effortCommand: TerminalCommand = {
  name: "effort",
  description: "set how long the model reasons",
  argument: ({ modelFamily }) => `[${listEfforts(modelFamily).join("|") || "LEVEL"}]`,
  timing: "always",
  isHarmless: true,
  async run(context, typed) {
    const { thread, threads, tell } = context;
    const effort = typed === "" ? await chooseEffort(context) : typed;
    if (effort === null) return;
    const fault = explainUnsupportedEffort(effort, thread.config);
    if (fault !== null) return tell(fault);
    await threads.change({ reasoningEffort: effort });
    tell(`Effort: ${effort}, from the next request on.`);
  },
};

/** Null: you left the question, or there is nothing to choose and a message says why. */
async function chooseEffort({ thread, choose, tell }: CommandContext): Promise<ReasoningEffort | null> {
  const { config } = thread;
  const { effort: now } = describeModelSettings(config);
  const levels = listEfforts(config.modelFamily);
  if (levels.length > 0) {
    const options = levels.map((value) => ({ value, label: value, description: descriptions[value] ?? "" }));
    return choose({ title: `Effort (now: ${now})`, options, current: config.reasoningEffort });
  }
  tell(
    config.modelFamily.efforts === null
      ? `Effort: ${now}. The levels of ${config.model} are unknown; /effort LEVEL sends any level.`
      : `${config.model} does not reason, so it has no effort setting.`,
  );
  return null;
}
