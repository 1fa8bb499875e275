import type { ShellState } from "./shell-state.ts";

/** The soft limits come first: none may be above its hard one. */
export function renderLimits(before: ShellState, after: ShellState): readonly string[] {
  return [
    ...listChanges(before.softLimits, after.softLimits).map(([letter, value]) => `ulimit -S${letter} ${value}`),
    ...listChanges(before.hardLimits, after.hardLimits).map(([letter, value]) => `ulimit -H${letter} ${value}`),
  ];
}

function listChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  return [...after].filter(([letter, value]) => before.get(letter) !== value);
}
