import type { SessionConfigOption, SessionConfigSelectOption } from "@agentclientprotocol/sdk";
import { listModels, type ResolvedConfig } from "@unroll/config";
import { groupDigits } from "@unroll/text";
import { listModes, type ModeId } from "./to-mode.ts";

interface OptionFacts {
  readonly mode: ModeId;
  /** As it is now. */
  readonly config: ResolvedConfig;
  /** As the files and the command line have it. */
  readonly base: ResolvedConfig;
}

/** What a person can choose. Clients that show these leave the modes out, so the mode is one of them. */
export function toConfigOptions({ mode, config, base }: OptionFacts): SessionConfigOption[] {
  const { reasoningEffort } = config;
  const models = listChoosableModels(config);
  const efforts = listEfforts(config);
  const modes = listModes(base).map(({ id, ...shown }) => ({ value: id, ...shown }));
  return [
    { type: "select", id: "mode", name: "Mode", category: "mode", currentValue: mode, options: modes },
    { type: "select", id: "model", name: "Model", category: "model", currentValue: config.model, options: models },
    ...(efforts.length === 0
      ? []
      : [
          {
            type: "select" as const,
            id: "effort",
            name: "Reasoning effort",
            category: "thought_level",
            currentValue: reasoningEffort ?? ownEffort,
            options: efforts,
          },
        ]),
  ];
}

/** The model's own effort, which nothing was set for. */
export const ownEffort = "default";

/** Those that are known of the provider, and the one that runs. */
function listChoosableModels({ catalogue, provider, model }: ResolvedConfig): SessionConfigSelectOption[] {
  const known = listModels(catalogue, provider.id).filter(
    ({ isHidden, origins, provider: owner }) => !isHidden && (owner === provider.id || origins.includes("provider")),
  );
  const options = known.map(({ name, family }) => ({
    value: name,
    name,
    description: `${groupDigits(family.contextWindow)} tokens`,
  }));
  return options.some(({ value }) => value === model) ? options : [{ value: model, name: model }, ...options];
}

/** None where the model does not reason, or nobody knows what it takes. */
function listEfforts({ modelFamily, reasoningEffort }: ResolvedConfig): SessionConfigSelectOption[] {
  const { supportsReasoning, efforts } = modelFamily;
  if (!supportsReasoning || efforts === null) return [];
  const names = reasoningEffort === null ? [ownEffort, ...efforts] : efforts;
  return names.map((value) => ({ value, name: value }));
}
