import type { ModelFamily, ReasoningEffort } from "@unroll/protocol";

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
