import type { ModelFamily, ReasoningEffort } from "@unroll/protocol";
import type { ModelInfo } from "./model-info.ts";

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
