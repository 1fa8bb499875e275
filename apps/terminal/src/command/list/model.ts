import { listModels, renderEfforts } from "@unroll/config";
import { loadProgramConfig, toProgramFailure } from "@unroll/program";
import { groupDigits } from "@unroll/text";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";
import { withChanges } from "../../conversation/with-changes.ts";

export const modelCommand: TerminalCommand = {
  name: "model",
  description: "go on with another model",
  argument: "[NAME]",
  timing: "between_turns",
  async run(context, typed) {
    const { conversation, flags, host, tell } = context;
    const { config } = conversation;
    if (config.model === "unroll-demo")
      return tell(
        "The built-in demo has no other model. Start again with a key, a login, or --oss for a model on this machine.",
      );
    const argument = typed === "" ? await chooseModel(context) : typed;
    if (argument === null) return;
    if (argument === config.model) return tell(`The model is ${argument} already.`);
    const loaded = await loadProgramConfig({ ...flags, model: argument, cd: config.cwd }, host);
    if (await isChosen(conversation.chooseModel(withChanges(loaded, config))))
      return tell(`Model: ${argument}, from the next request on.`);
    tell(`The model stays ${config.model}; /new begins a conversation in which /model ${argument} costs nothing.`);
  },
};

/** False: the person would not have all of it sent anew. */
async function isChosen(choosing: Promise<void>): Promise<boolean> {
  try {
    await choosing;
    return true;
  } catch (error) {
    if (toProgramFailure(error).error.code === "other_model") return false;
    throw error;
  }
}

/** Of those that are known of the provider; null: the person left, or none is known, which is told. */
async function chooseModel({ conversation, choose, tell }: CommandContext): Promise<string | null> {
  const { catalogue, provider, model } = conversation.config;
  const known = listModels(catalogue, provider.id).filter(
    ({ isHidden, origins, provider: owner }) => !isHidden && (owner === provider.id || origins.includes("provider")),
  );
  const options = known.map((info) => ({
    value: info.name,
    label: info.name,
    description: `${groupDigits(info.family.contextWindow)} tokens; effort ${renderEfforts(info)}`,
  }));
  if (options.length > 0) return choose({ title: `Model (now: ${model}); /model NAME takes any other`, options });
  tell(`Model: ${model} of ${provider.name}. /model NAME goes on with another one of it.`);
  return null;
}
