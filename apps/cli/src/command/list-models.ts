import type { ConfigOverride, ResolvedConfig } from "@unroll/config";
import { createModelFileSchema } from "@unroll/config/upkeep";
import { exitCodes, loadProgramConfig, ProgramError, type ProgramFlags, toUserAgent } from "@unroll/program";
import { explainNoList } from "@unroll/report";
import { readKnownModels, type RefreshedModels, refreshModels } from "@unroll/use-cases/models";
import type { CommandRun } from "../run-command.ts";
import { renderModels, toModelsJson } from "./render-models.ts";
import { countNouns } from "@unroll/text";

/** The flags of `unroll models`. */
export interface ModelsFlags extends ProgramFlags {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly provider?: string;
  readonly refresh?: boolean;
  readonly schema?: boolean;
}

/** Returns the exit code: 1 if the provider gave no list that was asked for. */
export async function printModels(flags: ModelsFlags, run: CommandRun): Promise<number> {
  const { columns, host, signal, printFolded, printJson, complain } = run;
  if (flags.schema) {
    await printJson(createModelFileSchema(), 2);
    return exitCodes.completed;
  }
  const { all = false, provider, json } = flags;
  const config = await loadProgramConfig(flags, host, toOverrides(flags));
  if (flags.refresh) {
    const refreshed = await refreshModels(config, { host, userAgent: toUserAgent("unroll_models", host), signal });
    if (refreshed.type !== "aborted") complain(describeRefresh(refreshed, config));
    if (refreshed.type !== "kept") return exitCodes.failed;
  }
  const models = await readKnownModels(config, { all, isOfProvider: provider !== undefined });
  await (json ? printJson(toModelsJson(models)) : printFolded(renderModels(models, columns)));
  return exitCodes.completed;
}

function toOverrides({ provider, localProvider, oss }: ModelsFlags): readonly ConfigOverride[] {
  if (provider === undefined) return [];
  if (oss || localProvider)
    throw new ProgramError("usage", "--provider and --oss both choose a provider: use only one.");
  return [{ key: "model_provider", value: JSON.stringify(provider), origin: "--provider" }];
}

function describeRefresh(
  refreshed: Exclude<RefreshedModels, { readonly type: "aborted" }>,
  { provider: { name } }: ResolvedConfig,
): string {
  return refreshed.type === "kept"
    ? `${name} lists ${countNouns(refreshed.count, "model")}.`
    : explainNoList(refreshed, name);
}
