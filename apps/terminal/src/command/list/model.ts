import { loadProgramConfig } from "@unroll/program";
import type { TerminalCommand } from "../terminal-command.ts";
import { withChanges } from "../../conversation/with-changes.ts";

export const modelCommand: TerminalCommand = {
  name: "model",
  description: "go on with another model",
  argument: "NAME",
  timing: "between_turns",
  async run({ conversation, host, tell }, argument) {
    const { config } = conversation;
    if (argument === "")
      return tell(`Model: ${config.model} of ${config.provider.name}. /model NAME goes on with another one of it.`);
    if (argument === config.model) return tell(`The model is ${argument} already.`);
    const quoted = JSON.stringify(argument);
    const overrides = [
      { key: "model_provider", value: JSON.stringify(config.provider.id), origin: "/model" },
      { key: "model", value: quoted, origin: "/model" },
    ];
    const loaded = await loadProgramConfig({ model: argument, cd: config.cwd }, host, overrides);
    await conversation.chooseModel(withChanges(loaded, config));
    tell(`Model: ${argument}, from the next request on.`);
  },
};
