import { describeModelSettings, explainUnsupportedEffort, listEfforts } from "@unroll/config";
import { chooseEffort, listEffortOptions } from "../choose-effort.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const effortCommand: TerminalCommand = {
  name: "effort",
  description: "set how long the model reasons",
  argument: ({ modelFamily }) => `[${listEfforts(modelFamily).join("|") || "LEVEL"}]`,
  choices: ({ thread }) => listEffortOptions(thread.config),
  timing: "always",
  isHarmless: true,
  async run(context, typed) {
    const { config } = context.thread;
    if (typed === "" && listEffortOptions(config).length === 0) return context.tell(explainNoChoice(config));
    const effort = typed === "" ? await chooseEffort(context, { title: toTitle(config), config }) : typed;
    if (effort === null) return;
    const fault = explainUnsupportedEffort(effort, config);
    if (fault !== null) return context.tell(fault);
    await context.threads.change({ reasoningEffort: effort });
    context.tell(`Effort: ${effort}, from the next request on.`);
  },
};

function toTitle(config: CommandContext["thread"]["config"]): string {
  return `Effort (now: ${describeModelSettings(config).effort})`;
}

function explainNoChoice(config: CommandContext["thread"]["config"]): string {
  return config.modelFamily.efforts === null
    ? `Effort: ${describeModelSettings(config).effort}. The levels of ${config.model} are unknown; /effort LEVEL sends any level.`
    : `${config.model} does not reason, so it has no effort setting.`;
}
