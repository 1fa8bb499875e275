import { renderEfforts } from "@unroll/config";
import { toProgramFailure } from "@unroll/program";
import { groupDigits } from "@unroll/text";
import { listOfferedModels, loadOtherModel } from "@unroll/use-cases/models";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const modelCommand: TerminalCommand = {
  name: "model",
  description: "switch to another model",
  argument: "[NAME]",
  timing: "between_turns",
  isHarmless: true,
  async run(context, typed) {
    const { thread, threads, flags, host, tell } = context;
    const { config } = thread;
    if (config.model === "unroll-demo")
      return tell(
        "The demo has no other model. Use /login, or restart with an API key, or with --oss for a model on this machine.",
      );
    const argument = typed === "" ? await chooseModel(context) : typed;
    if (argument === null) return;
    if (argument === config.model) return tell(`You are already using ${argument}.`);
    const named = { model: argument, provider: config.provider.id };
    const loaded = await loadOtherModel(named, { flags, host, now: config });
    if (await isChosen(threads.chooseModel(loaded))) return tell(`Model: ${argument}, from the next request on.`);
    tell(`The model is still ${config.model}. To switch without resending, use /new and then /model ${argument}.`);
  },
};

/** False: you declined to resend the thread. */
async function isChosen(choosing: Promise<void>): Promise<boolean> {
  try {
    await choosing;
    return true;
  } catch (error) {
    if (toProgramFailure(error).error.code === "other_model") return false;
    throw error;
  }
}

/** Null: you left the question, or there is no other model and a message says so. */
async function chooseModel({ thread, choose, tell }: CommandContext): Promise<string | null> {
  const { provider, model } = thread.config;
  const offered = listOfferedModels(thread.config).filter(({ isChosen, isHidden }) => isChosen || !isHidden);
  const options = offered.map((info) => ({
    value: info.name,
    label: info.name,
    description: `${groupDigits(info.family.contextWindow)} tokens; effort ${renderEfforts(info)}`,
  }));
  if (options.length > 1)
    return choose({ title: "Which model? For any other, use /model NAME.", options, current: model });
  tell(`Model: ${model} of ${provider.name}. /model NAME switches to another one.`);
  return null;
}
