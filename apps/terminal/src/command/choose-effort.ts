import { findModel, listEfforts, type ResolvedConfig } from "@unroll/config";
import type { ReasoningEffort } from "@unroll/protocol";
import type { ArgumentChoice, CommandContext } from "./terminal-command.ts";

const descriptions: Readonly<Record<ReasoningEffort, string>> = {
  none: "no reasoning: answers immediately",
  minimal: "very little reasoning",
  low: "quick",
  medium: "for most work",
  high: "for hard work; slower, more tokens",
  xhigh: "for even harder work",
  max: "as long as it takes: the slowest, with the most tokens",
};

/** The levels of effort that the config's model takes, lowest first. Empty: none, or they are unknown and it may not reason. */
export function listEffortOptions({ modelFamily }: Pick<ResolvedConfig, "modelFamily">): readonly ArgumentChoice[] {
  return listEfforts(modelFamily).map((value) => ({ value, description: descriptions[value] ?? "" }));
}

interface EffortQuestion {
  readonly title: string;
  /** Its model takes efforts. */
  readonly config: ResolvedConfig;
}

/** Asks for the effort of the config's model, on the one in force. Null: you left the question. */
export function chooseEffort(
  { choose }: Pick<CommandContext, "choose">,
  { title, config }: EffortQuestion,
): Promise<ReasoningEffort | null> {
  return choose({ title, options: listEffortOptions(config), current: findEffort(config) });
}

/** The effort in force: the one that is sent, if the model takes it, or else its own. Null: unknown. */
export function findEffort({
  catalogue,
  model,
  provider,
  modelFamily,
  reasoningEffort,
}: ResolvedConfig): ReasoningEffort | null {
  const { sentEffort, defaultEffort } = findModel(catalogue, model, provider.id).info;
  const isTaken = reasoningEffort !== null && (modelFamily.efforts?.includes(reasoningEffort) ?? true);
  return (isTaken ? reasoningEffort : sentEffort) ?? defaultEffort;
}
