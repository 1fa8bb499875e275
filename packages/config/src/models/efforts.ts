import type { ModelFamily, ReasoningEffort } from "@unroll/protocol";
import type { ModelInfo } from "./model-info.ts";

/** A model and the levels of effort that it takes. */
interface EffortTaker {
  readonly model: string;
  readonly modelFamily: Pick<ModelFamily, "efforts">;
}

/**
 * Why a model does not take an effort, in one sentence with the levels that it takes; null: it does, or nobody knows what it takes. The
 * effort `none` goes with a model that does not reason.
 */
export function explainUnsupportedEffort(
  effort: ReasoningEffort,
  { model, modelFamily: { efforts } }: EffortTaker,
): string | null {
  if (efforts === null || efforts.includes(effort)) return null;
  if (efforts.length > 0)
    return `${model} does not take the effort ${JSON.stringify(effort)}: it takes ${efforts.join(", ")}.`;
  return effort === "none" ? null : `${model} does not reason, so it takes no effort.`;
}

/** For a model that reasons, when nobody knows what it takes. */
const commonEfforts: readonly ReasoningEffort[] = ["minimal", "low", "medium", "high"];

/** The levels of effort to choose from for a model, least first; none: it does not reason, or is not known to. */
export function listEfforts({
  supportsReasoning,
  efforts,
}: Pick<ModelFamily, "supportsReasoning" | "efforts">): readonly ReasoningEffort[] {
  return supportsReasoning ? (efforts ?? commonEfforts) : [];
}

/** The levels that a model takes, as one line; in brackets the one that it works at when the user sets none. */
export function renderEfforts({ family: { efforts }, sentEffort, defaultEffort }: ModelInfo): string {
  if (efforts === null) return "unknown";
  if (efforts.length === 0) return "none";
  const own = sentEffort ?? defaultEffort;
  return efforts.map((effort) => (effort === own ? `[${effort}]` : effort)).join(" ");
}

/** Levels that some model is known to take, least first; a server may take more. */
export const knownEfforts: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
  "ultra",
  "persistent",
];
