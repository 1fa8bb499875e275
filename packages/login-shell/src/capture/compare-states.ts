import type { ShellState, StateChange, VariableTest } from "../shell/shell-state.ts";

/** Whether the change is one of variables with plain values and of the mask alone: such statements cannot mean anything else. */
export function isPlainChange({ before, after }: StateChange): boolean {
  const changed = [...after.variables].filter(([name, line]) => before.variables.get(name) !== line);
  const rest = (state: ShellState): string => JSON.stringify({ ...state, ...plainParts, unkept: [] }, toPlain);
  return changed.every(([, line]) => plainDeclaration.test(line)) && rest(before) === rest(after);
}

const plainParts = { mask: "", variables: null };
const plainDeclaration = /^(?:declare (?:--|-x)|typeset|export) [A-Za-z_]\w*="?[^"'`$\\()\n]*"?$/;

/** zsh writes the alternatives of a pattern with blanks between them the first time, and without the second. */
function toComparable(value: unknown): string {
  return JSON.stringify(value, toPlain).replaceAll(" | ", "|");
}

/**
 * Names the parts that differ between the expected state after a change and the state that was found, in words for
 * users; null if nothing differs. Variables that are not kept may differ, and so may limits that the change is not
 * about: the sandbox's are other ones for each command.
 */
export function findDifference(change: StateChange, found: ShellState, keeps: VariableTest): string | null {
  const wanted = { ...change.after, ...pickLimits(change.after, change) };
  return findOtherPart(wanted, { ...found, ...pickLimits(found, change) }, keeps);
}

function findOtherPart(wanted: ShellState, found: ShellState, keeps: VariableTest): string | null {
  const name =
    findOther(wanted.variables, found.variables, keeps) ?? findOther(wanted.attributes, found.attributes, keeps);
  if (name !== null) return `values of variables (${name})`;
  for (const [part, words] of parts) {
    if (toComparable(wanted[part]) !== toComparable(found[part])) return words;
  }
  return null;
}

function pickLimits(state: ShellState, { before, after }: StateChange): Pick<ShellState, "softLimits" | "hardLimits"> {
  const pick = (kind: "softLimits" | "hardLimits"): ReadonlyMap<string, string> =>
    new Map([...state[kind]].filter(([letter]) => before[kind].get(letter) !== after[kind].get(letter)));
  return { softLimits: pick("softLimits"), hardLimits: pick("hardLimits") };
}

const parts = [
  ["cwd", "working folder"],
  ["functions", "functions"],
  ["functionAttributes", "attributes of functions"],
  ["aliases", "aliases"],
  ["switches", "options (`shopt`)"],
  ["options", "options (`set -o`)"],
  ["traps", "traps"],
  ["mask", "file mode mask"],
  ["softLimits", "limits"],
  ["hardLimits", "hard limits"],
  ["parameters", "positional parameters"],
  ["status", "value of `$?`"],
] as const;

function findOther(
  wanted: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
  keeps: VariableTest,
): string | null {
  for (const name of new Set([...wanted.keys(), ...found.keys()])) {
    const line = wanted.get(name);
    if (line !== found.get(name) && (line === undefined || keeps(name, line))) return name;
  }
  return null;
}

function toPlain(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}
