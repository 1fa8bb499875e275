import { checkProvider as checkLocalServer, reachProvider } from "@unroll/harness";
import { toUserAgent } from "@unroll/program";
import { type Finding, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./doctor-run.ts";

/**
 * Asks the provider for the list of its models, which costs nothing. A provider with a health check of its own is asked here, too.
 * Throws `AuthError` for a key that its command does not give.
 */
export async function checkProvider(run: ConfiguredRun): Promise<readonly Finding[]> {
  const { config, host, signal, isDemo } = run;
  const { name } = config.provider;
  if (isDemo) return [toFinding("provider", "skipped", "The demo model is built in: there is nothing to reach.")];
  const local = await checkLocalServer(config, { env: host.env, signal });
  // its words say what to do, too
  if (local !== null)
    return [toFinding("provider", local.type === "ready" ? "ok" : "failed", describeLocal(run, local))];
  const outcome = await reachProvider(config, { host, userAgent: toUserAgent("unroll_doctor", host), signal });
  switch (outcome.type) {
    case "aborted":
      return [toFinding("provider", "skipped", "It was stopped before there was an answer.")];
    case "failed":
      return [toFinding("provider", "failed", outcome.error.message)];
    case "no_list": {
      const message = `${name} answers at ${outcome.baseUrl}, and has no list of models (${outcome.status}), so the key was not tried.`;
      const key = outcome.baseUrl === config.provider.baseUrl ? "base_url" : "chatgpt_base_url";
      return [{ ...toFinding("provider", "warning", message), remedy: `Check ${key} where a run fails with 404.` }];
    }
    case "reached": {
      const { models } = outcome;
      // at Azure a model is called by the name of its deployment, which no list has
      const isListed = config.provider.azure || models === null || models.length === 0 || models.includes(config.model);
      const reached = `${name} answers at ${outcome.baseUrl}`;
      if (isListed) return [toFinding("provider", "ok", `${reached}.`)];
      const message = `${reached}, and does not list the model ${config.model}.`;
      const remedy = `It lists ${toExamples(models)}: set model, or -m.`;
      return [{ ...toFinding("provider", "warning", message), remedy }];
    }
  }
}

type LocalHealth = NonNullable<Awaited<ReturnType<typeof checkLocalServer>>>;

function describeLocal({ config }: ConfiguredRun, health: LocalHealth): string {
  if (health.type !== "ready") return health.message;
  const version = health.version === null ? "" : `, version ${health.version},`;
  return `${config.provider.name}${version} answers at ${config.provider.baseUrl}, and has the model ${config.model}.`;
}

const shownModels = 5;

function toExamples(models: readonly string[]): string {
  const more = models.length > shownModels ? ` and ${models.length - shownModels} more` : "";
  return `${models.slice(0, shownModels).join(", ")}${more}`;
}
