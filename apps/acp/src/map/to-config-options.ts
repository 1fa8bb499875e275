import type { SessionConfigOption, SessionConfigSelectOption } from "@agentclientprotocol/sdk/unstable";
import type { ResolvedConfig } from "@unroll/config";
import { groupDigits } from "@unroll/text";
import { listOfferedModels } from "@unroll/use-cases/models";
import { type ModeId, shownModes } from "./to-mode.ts";

/**
 * The options that the user can choose in the editor. Clients that show these leave the modes out, so the mode is one
 * of them.
 */
export function toConfigOptions(mode: ModeId, config: ResolvedConfig): SessionConfigOption[] {
  const efforts = listEfforts(config);
  const modes = shownModes.map(({ id: value, ...shown }) => ({ value, ...shown }));
  const effort = config.reasoningEffort ?? ownEffort;
  const chosen = {
    mode: { id: "mode", name: "Mode", category: "mode", currentValue: mode },
    model: { id: "model", name: "Model", category: "model", currentValue: config.model },
    effort: { id: "effort", name: "Reasoning effort", category: "thought_level", currentValue: effort },
  };
  const always = [toSelect(chosen.mode, modes), toSelect(chosen.model, listChoosableModels(config))];
  return efforts.length === 0 ? always : [...always, toSelect(chosen.effort, efforts)];
}

type ShownOption = Pick<SessionConfigOption, "id" | "name" | "category"> & { readonly currentValue: string };

function toSelect(shown: ShownOption, options: SessionConfigSelectOption[]): SessionConfigOption {
  return { type: "select", ...shown, options };
}

/** The model's own effort, which nothing was set for. */
export const ownEffort = "default";

function listChoosableModels(config: ResolvedConfig): SessionConfigSelectOption[] {
  const shown = listOfferedModels(config).filter(({ isChosen, isHidden }) => isChosen || !isHidden);
  return shown.map(({ name, family }) => {
    return { value: name, name, description: `${groupDigits(family.contextWindow)} tokens` };
  });
}

/** None where the model does not reason, or nobody knows what it takes. */
function listEfforts({ modelFamily, reasoningEffort }: ResolvedConfig): SessionConfigSelectOption[] {
  const { supportsReasoning, efforts } = modelFamily;
  if (!supportsReasoning || efforts === null) return [];
  const names = reasoningEffort === null ? [ownEffort, ...efforts] : efforts;
  return names.map((value) => ({ value, name: value }));
}
