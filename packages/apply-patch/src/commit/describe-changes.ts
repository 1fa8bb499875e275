import { showHidden } from "@unroll/text";
import type { PlannedChange } from "../plan/patch-plan.ts";

const letters = { add: "A", update: "M", delete: "D" } as const;

/**
 * The model's message about an applied patch: added files first, then changed, then deleted ones,
 * in the patch's order. Invisible characters in paths are escaped, because the message may be
 * printed.
 */
export function describeChanges(changes: readonly PlannedChange[]): string {
  if (changes.length === 0) return "Success. The parts of the patch cancel out; no file was changed.";
  const lines = (["add", "update", "delete"] as const).flatMap((kind) =>
    changes.filter((change) => change.kind === kind).map((change) => `${letters[kind]} ${showHidden(change.path)}`),
  );
  return ["Success. Updated the following files:", ...lines].join("\n");
}
