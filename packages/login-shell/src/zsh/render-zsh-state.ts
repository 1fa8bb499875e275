import { quoteArgv, quoteWord } from "@unroll/text";
import { renderLimits } from "../shell/render-limits.ts";
import type { StateChange, VariableTest } from "../shell/shell-state.ts";

/**
 * A script that makes the state `before` into `after`, as `.zshenv`. Functions come before aliases, which would be put in for their
 * words; what changes how a script runs comes last, in one line.
 */
export function renderZshState(change: StateChange, keeps: VariableTest): string {
  const { before, after } = change;
  const switches = after.switches.filter((line) => !before.switches.includes(line));
  return [
    "unset ZDOTDIR",
    ...(after.cwd === before.cwd ? [] : [`cd -- ${quoteWord(after.cwd)}`]),
    ...(after.functions === before.functions ? [] : [renderFunctions(after.functions)]),
    ...(after.aliases === before.aliases ? [] : ["unalias -a", after.aliases]),
    ...renderVariables(change, keeps),
    ...(after.mask === before.mask ? [] : [`umask ${after.mask}`]),
    ...renderLimits(before, after),
    ...(after.parameters.length === 0 ? [] : [`set -- ${quoteArgv(after.parameters)}`]),
    ...(after.traps === before.traps ? [] : [after.traps]),
    switches.join("; "),
    ...(after.status === 0 ? [] : [`(exit ${after.status})`]),
  ]
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

/** One that is still to be loaded is said to be so by zsh itself; written as a function, it would be a function. */
function renderFunctions(definitions: string): string {
  return definitions.replaceAll(
    /^(\S+) \(\) \{\n\t# undefined\n\tbuiltin autoload -X(\w*)(?: .*)?\n\}$/gm,
    (_definition, name: string, flags: string) => `autoload ${flags === "" ? "" : `-${flags} `}-- ${name}`,
  );
}

function renderVariables({ before, after }: StateChange, keeps: VariableTest): readonly string[] {
  const old = new Map(before.variables);
  old.delete("ZDOTDIR"); // unset by then
  const gone = [...old.keys()].filter((name) => !after.variables.has(name));
  const changed = [...after.variables].filter(([name, line]) => old.get(name) !== line && keeps(name, line));
  return [
    ...gone.map((name) => `unset ${name}`),
    ...changed.flatMap(([name, line]) => (losesExport(old.get(name), line) ? [`typeset +x ${name}`, line] : [line])),
    ...[...after.attributes].filter(([name, line]) => before.attributes.get(name) !== line).map(([, line]) => line),
  ];
}

function losesExport(before: string | undefined, after: string): boolean {
  return before?.startsWith("export ") === true && !after.startsWith("export ");
}
