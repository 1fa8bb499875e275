import { quoteArgv, quoteWord } from "@unroll/text";
import { renderLimits } from "../shell/render-limits.ts";
import type { ShellState, StateChange, VariableTest } from "../shell/shell-state.ts";

/**
 * A script that makes the state `before` into `after`, for `BASH_ENV`. The order matters: functions are read with the
 * patterns that they may use, and before aliases, which would replace their words; variables that commands do not get
 * are skipped; settings that change how a script runs come last, and `$?` at the very end.
 */
export function renderBashState({ before, after }: StateChange, keeps: VariableTest): string {
  return [
    "unset BASH_ENV",
    ...(after.cwd === before.cwd ? [] : [`cd -- ${quoteWord(after.cwd)}`]),
    ...renderFunctions(before, after),
    ...(after.aliases === before.aliases ? [] : ["unalias -a", after.aliases]),
    ...renderVariables({ before, after }, keeps),
    ...(after.mask === before.mask ? [] : [`umask ${after.mask}`]),
    ...renderLimits(before, after),
    ...(after.parameters.length === 0 ? [] : [`set -- ${quoteArgv(after.parameters)}`]),
    ...after.switches.filter((line) => !before.switches.includes(line)),
    ...(after.traps === before.traps ? [] : [after.traps]),
    ...renderOptions(before.options, after.options),
    ...renderStatus(after.status),
  ]
    .filter((line) => line !== "")
    .map((line) => `${line}\n`)
    .join("");
}

function renderFunctions(before: ShellState, after: ShellState): readonly string[] {
  const gone = [...before.functionAttributes.keys()].filter((name) => !after.functionAttributes.has(name));
  const changed = [...after.functionAttributes].filter(([name, line]) => before.functionAttributes.get(name) !== line);
  if (after.functions === before.functions && changed.length === 0) return [];
  const isExtended = before.switches.includes("shopt -s extglob");
  return [
    ...gone.map((name) => `unset -f ${name}`),
    ...(isExtended ? [] : ["shopt -s extglob"]),
    after.functions,
    ...(isExtended ? [] : ["shopt -u extglob"]),
    ...changed.map(([, line]) => line).filter((line) => !line.startsWith("declare -f ")),
  ];
}

function renderVariables({ before, after }: StateChange, keeps: VariableTest): readonly string[] {
  const isMoved = after.cwd !== before.cwd;
  const old = toDeclarations(before);
  old.delete("BASH_ENV"); // unset by then
  const now = toDeclarations(after);
  const gone = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].filter(([name, line]) => old.get(name) !== line || (isMoved && name === "OLDPWD"));
  return [
    ...gone.map((name) => `unset -v ${name}`),
    ...changed
      .filter(([name, line]) => keeps(name, line))
      .flatMap(([name, line]) => [...(losesAttribute(old.get(name), line) ? [`unset -v ${name}`] : []), line]),
  ];
}

function toDeclarations({ variables, attributes }: ShellState): Map<string, string> {
  return new Map([...attributes, ...variables]);
}

function losesAttribute(before: string | undefined, after: string): boolean {
  return before !== undefined && toAttributes(before).some((attribute) => !toAttributes(after).includes(attribute));
}

/** Their letters. */
function toAttributes(declaration: string): readonly string[] {
  return (declaration.split(" ")[1] ?? "").replaceAll("-", "").split("");
}

/** In one statement: what one of them does to a script (`-x` shows it) must not happen to the next. */
function renderOptions(before: readonly string[], after: readonly string[]): readonly string[] {
  const on = after.filter((name) => !before.includes(name)).map((name) => `-o ${name}`);
  const off = before.filter((name) => !after.includes(name)).map((name) => `+o ${name}`);
  return on.length + off.length === 0 ? [] : [`set ${[...off, ...on].join(" ")}`];
}

/** So written, a failure ends no shell that has `set -e`. */
function renderStatus(status: number): readonly string[] {
  if (status === 0) return [];
  return [status === 1 ? "false && :" : `(exit ${status}) && :`];
}
