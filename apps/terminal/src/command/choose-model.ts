import type { ModelInfo, ResolvedConfig } from "@unroll/config";
import { toProgramFailure, toUserAgent } from "@unroll/program";
import { explainNoList } from "@unroll/report";
import { showHidden } from "@unroll/text";
import { fetchModels, readKnownModels } from "@unroll/use-cases/models";
import { describeModel } from "../text/describe-model.ts";
import type { ArgumentChoice, ArgumentContext, CommandContext } from "./terminal-command.ts";

/** The models of the provider in use, for completion: as they are known, without a request. */
export async function listModelChoices({ thread }: ArgumentContext): Promise<readonly ArgumentChoice[]> {
  const { models } = await readOwnModels(thread.config);
  return models.map((info) => toModelChoice(info, thread.config));
}

function toModelChoice(info: ModelInfo, { provider }: ResolvedConfig): ArgumentChoice {
  return { value: info.name, label: showHidden(info.name), description: describeModel(info, provider.id) };
}

/**
 * Asks which model to use: one that the catalogue or the provider lists, or any other by its name. A provider whose models
 * only its server knows is asked for its list first. Null: you left the question, or stopped the wait.
 */
export async function chooseModel(context: CommandContext): Promise<string | null> {
  const { thread, choose } = context;
  const { config } = thread;
  if (config.provider.unnamedModel === "listed" && !(await askProvider(context, config))) return null;
  const { models, current } = await readOwnModels(config);
  const options = models.map((info) => toModelChoice(info, config));
  const typed = { label: "another model", placeholder: "its name" };
  const chosen = await choose({ title: `Which model of ${config.provider.name}?`, options, current, typed });
  return chosen === current ? config.model : chosen;
}

interface OwnModels {
  readonly models: readonly ModelInfo[];
  /** The name of the one in force, as `models` has it. */
  readonly current: string;
}

async function readOwnModels(config: ResolvedConfig): Promise<OwnModels> {
  // a thread has a model, also one that was found in the server's list
  const origins: ResolvedConfig["origins"] = new Map([...config.origins, ["model", { type: "thread" }]]);
  const { models, inUse } = await readKnownModels({ ...config, origins }, { isOfProvider: true });
  return { models, current: inUse ?? config.model };
}

/** Asks the provider for its list and saves it. A failure is shown, and the models that are known stay. False: you stopped it. */
async function askProvider({ host, tell, wait }: CommandContext, config: ResolvedConfig): Promise<boolean> {
  const { name } = config.provider;
  const userAgent = toUserAgent("unroll_models", host);
  try {
    const fetched = await wait(`Asking ${name} for its models (^C stops).`, (signal) =>
      fetchModels(config, { host, userAgent, signal }),
    );
    if (fetched === null || fetched.type === "aborted") return false;
    if (fetched.type !== "kept") tell(`${explainNoList(fetched, name)} You can type the name of a model.`);
    return true;
  } catch (error) {
    const { error: failure, stack } = toProgramFailure(error);
    if (stack !== null) throw error;
    tell(`${failure.message} You can type the name of a model.`);
    return true;
  }
}
