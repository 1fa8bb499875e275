import { loadProgramConfig } from "@unroll/program";
import type { TerminalCommand } from "../terminal-command.ts";
import { withChanges } from "../../conversation/with-changes.ts";

export const modelCommand: TerminalCommand = {
  name: "model",
  description: "go on with another model",
  argument: "NAME",
  timing: "between_turns",
  async run({ conversation, flags, host, tell }, argument) {
    const { config } = conversation;
    if (argument === "")
      return tell(`Model: ${config.model} of ${config.provider.name}. /model NAME goes on with another one of it.`);
    if (argument === config.model) return tell(`The model is ${argument} already.`);
    if (config.model === "unroll-demo")
      return tell(
        "The built-in demo has no other model. Start again with a key, a login, or --oss for a model on this machine.",
      );
    const loaded = await loadProgramConfig({ ...flags, model: argument, cd: config.cwd }, host);
    await conversation.chooseModel(withChanges(loaded, config));
    tell(`Model: ${argument}, from the next request on.`);
  },
};
