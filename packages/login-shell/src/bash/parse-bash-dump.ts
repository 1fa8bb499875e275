import { type DumpFields, readField, readLines } from "../shell/read-fields.ts";
import { listUnkept, readCommonState } from "../shell/read-common-state.ts";
import type { ShellState } from "../shell/shell-state.ts";
import { ownPrefix } from "../shell/own-prefix.ts";
import { keptDescriptors } from "./bash-script.ts";

/**
 * Variables that bash makes itself, or that say what it is doing: another shell has its own. The two variables that
 * list the options are among them, because a state holds the options themselves.
 */
const ownVariables: ReadonlySet<string> = new Set(
  (
    "_ BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_EXECUTION_STRING " +
    "BASH_LINENO BASH_MONOSECONDS BASH_REMATCH BASH_SOURCE BASH_SUBSHELL BASH_TRAPSIG BASH_VERSINFO BASH_VERSION DIRSTACK " +
    "EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD LINENO PIPESTATUS PPID PWD RANDOM SECONDS SHELLOPTS SRANDOM UID"
  ).split(" "),
);
const declarationOf = /^declare -[-a-zA-Z]+ (?<name>[a-zA-Z_]\w*)(?<value>=|$)/;
const limitLine = /\((?:[^()]*, )?-(?<letter>\w)\)\s+(?<value>\S+)\s*$/;
const unkeptSigns = { disabledBy: "enable -n", emptyStack: "1", keptDescriptors };

/** Null: the dump is incomplete. */
export function parseBashDump(fields: DumpFields): ShellState | null {
  const common = readCommonState(fields, limitLine);
  const variables = readVariables(fields);
  if (common === null || variables === null || readField(fields, "declared") === null) return null;
  return {
    ...common,
    variables,
    attributes: readAttributes(fields, variables),
    functionAttributes: readFunctionAttributes(fields),
    switches: readLines(fields, "shopts").filter((line) => !line.endsWith(" login_shell")),
    options: (readField(fields, "options") ?? "").split(":").filter(Boolean),
    unkept: [
      ...listUnkept(fields, unkeptSigns),
      ...(readField(fields, "traps") === "unreadable" ? ["leaves the shell no process to start"] : []),
    ],
  };
}

/** Null: something stands where a declaration must. */
function readVariables(fields: DumpFields): ReadonlyMap<string, string> | null {
  const variables = new Map<string, string>();
  for (const field of fields.get("variable") ?? []) {
    const declaration = field.replace(/\n$/, "");
    const name = declarationOf.exec(declaration)?.groups?.["name"];
    if (name === undefined) return null;
    if (isUsers(name)) variables.set(name, declaration);
  }
  return variables;
}

function readAttributes(fields: DumpFields, variables: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = readLines(fields, "declared").flatMap((line): [string, string][] => {
    const { name = "", value } = declarationOf.exec(line)?.groups ?? {};
    return value === "" && isUsers(name) && !variables.has(name) ? [[name, line]] : [];
  });
  return new Map(found);
}

function isUsers(name: string): boolean {
  return !ownVariables.has(name) && !name.startsWith(ownPrefix);
}

function readFunctionAttributes(fields: DumpFields): ReadonlyMap<string, string> {
  return new Map(readLines(fields, "marks").map((line) => [line.split(" ").slice(2).join(" "), line]));
}
