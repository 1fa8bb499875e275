import type { ModelFamily, ReasoningEffort } from "@unroll/protocol";
import type { ModelInfo } from "./model-info.ts";

/** A model and the efforts that it takes. */
interface EffortTaker {
  readonly model: string;
  readonly modelFamily: Pick<ModelFamily, "efforts">;
}

/**
 * Why a model does not take an effort: one sentence that lists the efforts it takes. Null: it takes
 * this one, or its efforts are unknown. A model that does not reason takes `none`.
 */
export function explainUnsupportedEffort(
  effort: ReasoningEffort,
  { model, modelFamily: { efforts } }: EffortTaker,
): string | null {
  if (efforts === null || efforts.includes(effort)) return null;
  if (efforts.length > 0)
    return `${model} does not support effort ${JSON.stringify(effort)}, only ${efforts.join(", ")}.`;
  return effort === "none" ? null : `${model} does not reason, so it accepts no effort.`;
}

/** For a model that reasons but whose efforts are unknown. */
const commonEfforts: readonly ReasoningEffort[] = ["minimal", "low", "medium", "high"];

/** The efforts to choose from for a model, lowest first. Empty: it does not reason, or is not known to. */
export function listEfforts({
  supportsReasoning,
  efforts,
}: Pick<ModelFamily, "supportsReasoning" | "efforts">): readonly ReasoningEffort[] {
  return supportsReasoning ? (efforts ?? commonEfforts) : [];
}

/** The efforts that a model takes, on one line. Brackets mark the one that is used if you set none. */
export function renderEfforts({ family: { efforts }, sentEffort, defaultEffort }: ModelInfo): string {
  if (efforts === null) return "unknown";
  if (efforts.length === 0) return "none";
  const own = sentEffort ?? defaultEffort;
  return efforts.map((effort) => (effort === own ? `[${effort}]` : effort)).join(" ");
}

/** Efforts that some known model takes, lowest first; a server may take more. */
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
