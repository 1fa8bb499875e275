import { isModelNamed, type ResolvedConfig } from "@unroll/config";
import {
  checkProvider as checkLocalServer,
  describeChatServer,
  findModelChoice,
  findProviderApi,
  reachProvider,
  readContextWindow,
} from "@unroll/harness";
import { loadProgramConfig, toUserAgent } from "@unroll/program";
import { groupDigits } from "@unroll/text";
import { type Finding, listExamples, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./configured-run.ts";

/**
 * Asks the provider for the list of its models, which costs nothing. A provider with a health check of its own is asked that in its
 * place, and one that is not OpenAI whether it has the Responses API at all. Throws `AuthError` for a key that its command does not give.
 */
export async function checkProvider(run: ConfiguredRun): Promise<readonly Finding[]> {
  const { config, host, signal, isDemo } = run;
  if (isDemo) return [toFinding("provider", "skipped", "The demo model is built in, so no server is needed.")];
  const found = await checkModels(run);
  if (config.provider.unnamedModel !== "listed" || found.state === "skipped") return [found];
  const api = await findProviderApi(config, { host, userAgent: toUserAgent("unroll_doctor", host), signal });
  if (api !== "chat_only") return [found];
  const { name, baseUrl } = config.provider;
  return [toFinding("provider", "failed", describeChatServer(`${name} at ${baseUrl}`))];
}

async function checkModels(run: ConfiguredRun): Promise<Finding> {
  const { config, host, signal } = run;
  const local = await checkLocalServer(config, { env: host.env, signal });
  // its words say what to do, too
  if (local !== null && local.type !== "ready") return toFinding("provider", "failed", local.message);
  if (!isModelNamed(config)) return checkUnnamed(run);
  return local === null ? checkList(run) : toFinding("provider", "ok", describeLocal(run, local));
}

/** The model that a run would use if none is named. */
async function checkUnnamed({ config, host, signal }: ConfiguredRun): Promise<Finding> {
  const choice = await findModelChoice(config, { host, userAgent: toUserAgent("unroll_doctor", host), signal });
  if (choice.type === "open") return toFinding("provider", "failed", choice.message);
  const model = choice.type === "only" ? choice.model : config.model;
  const { name, baseUrl } = config.provider;
  return toFinding("provider", "ok", `${name} responds at ${baseUrl}; uses its only model, ${model}.`);
}

async function checkList({ config, host, signal }: ConfiguredRun): Promise<Finding> {
  const { name } = config.provider;
  const outcome = await reachProvider(config, { host, userAgent: toUserAgent("unroll_doctor", host), signal });
  switch (outcome.type) {
    case "aborted":
      return toFinding("provider", "skipped", "Interrupted before the server responded.");
    case "failed":
      return toFinding("provider", "failed", outcome.error.message);
    case "no_list": {
      const message = `${name} responds at ${outcome.baseUrl} but lists no models (status ${outcome.status}), so the key is untested.`;
      const key = outcome.baseUrl === config.provider.baseUrl ? "base_url" : "chatgpt_base_url";
      return { ...toFinding("provider", "warning", message), remedy: `If a run fails with 404, check ${key}.` };
    }
    case "reached": {
      const { models } = outcome;
      // at Azure a model is called by the name of its deployment, which no list has
      const isListed = config.provider.azure || models === null || models.length === 0 || models.includes(config.model);
      const reached = `${name} responds at ${outcome.baseUrl}`;
      if (isListed) return toFinding("provider", "ok", `${reached}.`);
      const message = `${reached} but does not list the model ${config.model}.`;
      const remedy = `It lists ${listExamples(models)}. Set model, or use -m.`;
      return { ...toFinding("provider", "warning", message), remedy };
    }
  }
}

type ReadyServer = Extract<Awaited<ReturnType<typeof checkLocalServer>>, { readonly type: "ready" }>;

function describeLocal({ config }: ConfiguredRun, { version }: ReadyServer): string {
  const { name, baseUrl } = config.provider;
  const numbered = version === null ? name : `${name} ${version}`;
  return `${numbered} responds at ${baseUrl} and has the model ${config.model}.`;
}

/** How large the context window of the model is, and who says so: a guess too large ends in requests that the server refuses. */
export async function checkWindow(run: ConfiguredRun): Promise<readonly Finding[]> {
  const { host, signal, isDemo } = run;
  if (isDemo) return [];
  const config = await nameModel(run);
  const { model, provider } = config;
  const options = { host, userAgent: toUserAgent("unroll_doctor", host), signal };
  const { contextWindow, windowOrigin } = await readContextWindow(config, options);
  const size = `${groupDigits(contextWindow)} tokens`;
  switch (windowOrigin) {
    case "server":
      return [toFinding("window", "ok", `The context window of ${model} is ${size}, as ${provider.name} reports.`)];
    case "guess": {
      const message = `The context window of ${model} is unknown: ${size} is a guess.`;
      return [
        { ...toFinding("window", "warning", message), remedy: "Set model_context_window to the server's limit." },
      ];
    }
    case "config":
      return [toFinding("window", "ok", `The context window of ${model} is ${size}, as you set it.`)];
    case "list":
    case "catalogue":
      return [toFinding("window", "ok", `The context window of ${model} is ${size}.`)];
  }
}

/** The config with the server's only model, if you named none: a run would use that one. */
async function nameModel({ config, flags, host, signal }: ConfiguredRun): Promise<ResolvedConfig> {
  const choice = await findModelChoice(config, { host, userAgent: toUserAgent("unroll_doctor", host), signal });
  if (choice.type !== "only") return config;
  const origin = `the models of ${config.provider.name}`;
  return loadProgramConfig(flags, host, [{ key: "model", value: JSON.stringify(choice.model), origin }]);
}
