import { applyChange, listEfforts } from "@unroll/config";
import type { ReasoningEffort } from "@unroll/protocol";
import { loadOtherModel } from "@unroll/use-cases/models";
import { chooseEffort, findEffort } from "../choose-effort.ts";
import { chooseModel, listModelChoices } from "../choose-model.ts";
import { switchConfig } from "../switch-config.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

type Config = CommandContext["thread"]["config"];

type EffortAnswer =
  | { readonly type: "chosen"; readonly effort: ReasoningEffort }
  | { readonly type: "left" | "not_asked" };

export const modelCommand: TerminalCommand = {
  name: "model",
  description: "switch to another model",
  argument: "[NAME]",
  choices: listModelChoices,
  timing: "between_turns",
  isHarmless: true,
  async run(context, typed) {
    const { thread, threads, tell } = context;
    const { config } = thread;
    if (config.model === "unroll-demo")
      return tell(
        "The demo has no other model. Use /login, or restart with an API key, or with --oss for a model on this machine.",
      );
    if (typed !== "")
      return typed === config.model ? tell(alreadyUsing(config)) : switchTo(context, await load(context, typed));
    const model = await chooseModel(context);
    if (model === null) return;
    const loaded = model === config.model ? config : await load(context, model);
    const answer = await askEffort(context, loaded);
    if (answer.type === "left") return tell(`The model is still ${config.model}.`);
    const change =
      answer.type === "chosen" && answer.effort !== findEffort(loaded) ? { reasoningEffort: answer.effort } : null;
    if (model !== config.model) return switchTo(context, change === null ? loaded : applyChange(loaded, change));
    if (change === null) return tell(alreadyUsing(config));
    await threads.change(change);
    tell(`Effort: ${change.reasoningEffort}, from the next request on.`);
  },
};

function alreadyUsing({ model, reasoningEffort }: Config): string {
  return `You are already using ${model}${reasoningEffort === null ? "" : ` with effort ${reasoningEffort}`}.`;
}

function load({ thread, flags, host }: CommandContext, model: string): Promise<Config> {
  const { config } = thread;
  return loadOtherModel({ model, provider: config.provider.id }, { flags, host, now: config });
}

/** A model that takes no effort, or only one, or whose efforts nobody knows, is not asked about. */
async function askEffort(context: CommandContext, config: Config): Promise<EffortAnswer> {
  const { model, modelFamily } = config;
  if (modelFamily.efforts === null || listEfforts(modelFamily).length < 2) return { type: "not_asked" };
  const effort = await chooseEffort(context, { title: `Which effort for ${model}?`, config });
  return effort === null ? { type: "left" } : { type: "chosen", effort };
}

/** You are asked first if the whole thread would be resent. */
async function switchTo(context: CommandContext, loaded: Config): Promise<void> {
  const { thread, tell } = context;
  const { model } = thread.config;
  if (await switchConfig(context, loaded)) return tell(`Model: ${loaded.model}, from the next request on.`);
  tell(`The model is still ${model}. To switch without resending, use /new and then /model ${loaded.model}.`);
}
