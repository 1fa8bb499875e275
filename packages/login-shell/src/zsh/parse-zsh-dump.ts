import { type DumpFields, readField, readLines } from "../shell/read-fields.ts";
import { readLimits } from "../shell/read-limits.ts";
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

/** Null: that is no whole dump. */
export function parseZshDump(fields: DumpFields): ShellState | null {
  const status = readField(fields, "status");
  const cwd = fields.get("cwd")?.[0];
  const variables = readVariables(fields);
  if (status === null || cwd === undefined || variables === null) return null;
  const options = readLines(fields, "options").filter((line) => !line.endsWith(" login"));
  return {
    cwd,
    variables,
    attributes: readTiedAttributes(fields),
    functions: readField(fields, "functions") ?? "",
    functionAttributes: new Map(),
    aliases: readField(fields, "aliases") ?? "",
    switches: [...readLines(fields, "modules"), ...readLines(fields, "folders"), ...options],
    options: [],
    traps: readField(fields, "traps") ?? "",
    mask: readField(fields, "mask") ?? "",
    softLimits: readLimits(fields, "soft", limitLine),
    hardLimits: readLimits(fields, "hard", limitLine),
    parameters: fields.get("argument") ?? [],
    status: Number(status),
    unkept: listUnkept(fields),
  };
}

/** Null: something stands where a declaration must. Of a variable and the array that it is tied to, the one that names both. */
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

function listUnkept(fields: DumpFields): readonly string[] {
  const has = (tag: string): boolean => readLines(fields, tag).length > 0;
  return [
    ...(has("jobs") ? ["leaves a program running"] : []),
    ...(fields.get("alive") ?? []).map((name) => `leaves a program running, whose number is in ${name}`),
    ...(has("disabled") ? ["switches builtins off (`disable`)"] : []),
    ...(readField(fields, "stack") === "0" ? [] : ["leaves folders on the stack of `pushd`"]),
    ...(fields.get("fd") ?? []).map((fd) => `leaves the descriptor ${fd} open`),
    ...(fields.has("moved") ? ["redirects the shell's input or output"] : []),
  ];
}
