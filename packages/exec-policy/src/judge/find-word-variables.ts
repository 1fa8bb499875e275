import { baseName } from "../command/program-path.ts";
import type { ShellWord } from "../command/shell-word.ts";
import { isPowerfulVariable, isRoutineVariable } from "../command/variable-power.ts";

/** Programs that take `NAME=value` among their words for a variable, which may name a program or hold code. */
const takesVariables: ReadonlySet<string> = new Set("bmake drake gmake just make rake scons task".split(" "));

/** Options of these programs that hold code. */
const codeOptions: ReadonlyMap<string, RegExp> = new Map([
  ...["make", "gmake"].map((name) => [name, /^--ev|^-[a-z]*E/] as const),
  ...["rake", "drake"].map((name) => [name, /^--ex|^-[a-z]*[eEp]/] as const),
  ["just", /^--(?:sh|com)|^-[a-z]*c/],
]);

/**
 * The variables that words behind the first ones set and that a rule must name; null where a value or an option is code. A
 * switch (`V=1`, `RELEASE=yes`) needs no name.
 */
export function findWordVariables(words: readonly ShellWord[], length: number): readonly string[] | null {
  const name = baseName(words[0]?.text ?? "");
  if (!takesVariables.has(name)) return [];
  const code = codeOptions.get(name);
  const variables: string[] = [];
  for (const { kind, text, head } of words.slice(length)) {
    if (code?.test(text) === true) return null;
    const [, variable, sign = "", value = ""] = /^\s*([^\s=:+?!-][^\s=:+?!]*)\s*([:+?!]*)=(.*)$/s.exec(head) ?? [];
    if (variable === undefined) continue;
    if (kind !== "static" || sign.includes("!") || /[$`]/.test(text)) return null;
    const isSwitch = /^(?:\d*|y|n|yes|no|on|off|true|false)$/i.test(value) && !isPowerfulVariable(variable);
    if (!isSwitch && !isRoutineVariable(variable)) variables.push(variable);
  }
  return [...new Set(variables)];
}
