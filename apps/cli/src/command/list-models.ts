import {
  findModel,
  isModelNamed,
  listModels,
  loadModelFileSchema,
  readProviderList,
  type ResolvedConfig,
} from "@unroll/config";
import {
  createHostEnvironment,
  exitCodes,
  loadProgramConfig,
  type ProcessIo,
  type ProgramFlags,
  ProgramError,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { ListedModels } from "./listed-models.ts";
import { renderModels, toModelsJson } from "./render-models.ts";

export interface ModelsFlags extends ProgramFlags {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly provider?: string;
  readonly refresh?: boolean;
  readonly schema?: boolean;
}

/** Returns the exit code: 1 where the provider did not give a list that was asked for. */
export async function printModels(flags: ModelsFlags, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  try {
    if (flags.schema) {
      io.stdout.stream.write(`${JSON.stringify(await loadModelFileSchema(), null, 2)}\n`);
      return exitCodes.completed;
    }
    const config = await loadProgramConfig(flags, createHostEnvironment(io), toOverrides(flags));
    if (flags.refresh) {
      const { refreshModels } = await import("./refresh-models.ts");
      const kept = await refreshModels(config, { io, signal: interruption.signal });
      if (!kept) return interruption.exitCode ?? exitCodes.failed;
    }
    const models = await listAll(config, flags);
    io.stdout.stream.write(flags.json ? toModelsJson(models) : renderModels(models));
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    return interruption.exitCode ?? reportFailure(error, io);
  }
}

function toOverrides({ provider, localProvider, oss }: ModelsFlags): Parameters<typeof loadProgramConfig>[2] {
  if (provider === undefined) return [];
  if (oss || localProvider) throw new ProgramError("usage", "--provider and --oss name two providers: leave one out.");
  return [{ key: "model_provider", value: JSON.stringify(provider), origin: "--provider" }];
}

async function listAll(config: ResolvedConfig, { all = false, provider }: ModelsFlags): Promise<ListedModels> {
  const { id } = config.provider;
  const kept = await readProviderList(config.codexHome, id);
  const [builtIn, ...own] = config.catalogue.filter(({ origin }) => origin !== "provider");
  const catalogue = [...(builtIn ? [builtIn] : []), kept, ...own];
  const isListed = Object.keys(kept.tables).length > 0;
  const models = listModels(catalogue, id).filter(
    (model) =>
      (all || !model.isHidden) &&
      (provider === undefined ||
        // what it lists is what it has; what a person wrote down is meant
        ((model.provider ?? provider) === provider &&
          (!isListed || model.origins.some((origin) => origin !== "built_in")))),
  );
  if (!isModelNamed(config)) return { config, inUse: null, models };
  const { info } = findModel(catalogue, config.model, id);
  const inUse = [config.model, info.name].find((name) => models.some((model) => model.name === name));
  if (inUse !== undefined) return { config, inUse, models };
  return { config, inUse: config.model, models: [{ ...info, name: config.model }, ...models] };
}
