import { type DumpFields, readLines } from "../shell/read-fields.ts";
import { listUnkept, readCommonState } from "../shell/read-common-state.ts";
import { ownPrefix } from "../shell/own-prefix.ts";
import type { ShellState } from "../shell/shell-state.ts";

/** Variables that zsh makes itself, or that say what it is doing: another shell has its own. */
const ownVariables: ReadonlySet<string> = new Set(
  (
    "_ ARGC COLUMNS EGID EPOCHREALTIME EPOCHSECONDS ERRNO EUID GID HISTCMD LINENO LINES PPID PWD RANDOM SECONDS " +
    "TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTY TTYIDLE UID USERNAME ZSH_ARGZERO ZSH_EVAL_CONTEXT ZSH_EXECUTION_STRING " +
    "ZSH_SUBSHELL argv epochtime pipestatus signals status zsh_eval_context"
  ).split(" "),
);
const declarationOf =
  /^(?:typeset|export|readonly|integer|float)(?: -[A-Za-z0-9]+(?: \d+)?)* (?<name>[a-zA-Z_]\w*)(?:=| [a-zA-Z_]\w*=|$)/;
const tiedArray = /^\w+ -(?<letters>\w*a\w*T) \w+ (?<name>\w+)=/;
const limitLine = /^-(?<letter>\w): .*\s(?<value>\S+)\s*$/;

/** Null: the dump is incomplete. */
export function parseZshDump(fields: DumpFields): ShellState | null {
  const common = readCommonState(fields, limitLine);
  const variables = readVariables(fields);
  if (common === null || variables === null) return null;
  const options = readLines(fields, "options").filter((line) => !line.endsWith(" login"));
  return {
    ...common,
    variables,
    attributes: readTiedAttributes(fields),
    functionAttributes: new Map(),
    switches: [...readLines(fields, "modules"), ...readLines(fields, "folders"), ...options],
    options: [],
    unkept: listUnkept(fields, { disabledBy: "disable", emptyStack: "0", keptDescriptors: new Set() }),
  };
}

/**
 * Null: something stands where a declaration must. If a variable is tied to an array, only the declaration that names
 * both is kept.
 */
function readVariables(fields: DumpFields): ReadonlyMap<string, string> | null {
  const variables = new Map<string, string>();
  for (const field of fields.get("variable") ?? []) {
    const declaration = field.replace(/\n$/, "");
    const name = declarationOf.exec(declaration)?.groups?.["name"];
    if (declaration === "" || tiedArray.test(declaration)) continue;
    if (name === undefined) return null;
    if (!ownVariables.has(name) && !name.startsWith(ownPrefix)) variables.set(name, declaration);
  }
  return variables;
}

/** Of arrays that are tied to a variable, which is declared with their value. */
function readTiedAttributes(fields: DumpFields): ReadonlyMap<string, string> {
  const found = (fields.get("variable") ?? []).flatMap((line): [string, string][] => {
    const { letters = "", name = "" } = tiedArray.exec(line)?.groups ?? {};
    const own = letters.replaceAll(/[aT]/g, "");
    return own === "" ? [] : [[name, `typeset -${own} ${name}`]];
  });
  return new Map(found);
}
