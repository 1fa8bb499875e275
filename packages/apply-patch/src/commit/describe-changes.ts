import type { FileChange } from "../plan/patch-plan.ts";

const letters = { add: "A", update: "M", delete: "D" } as const;

/**
 * What a model is told of an applied patch: added files first, then changed, then deleted ones, in the patch's order.
 */
export function describeChanges(changes: readonly FileChange[]): string {
  if (changes.length === 0) return "Success. The parts of the patch cancel out; no file was changed.";
  const lines = (["add", "update", "delete"] as const).flatMap((kind) =>
    changes.filter((change) => change.kind === kind).map((change) => `${letters[kind]} ${change.path}`),
  );
  return ["Success. Updated the following files:", ...lines].join("\n");
}
