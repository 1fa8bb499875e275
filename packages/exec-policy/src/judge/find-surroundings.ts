import type { Reach } from "../command/judge-context.ts";
import type { ShellDialect } from "../command/shell-dialect.ts";
import type { ShellWord } from "../command/shell-word.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { findSetVariables } from "./find-set-variables.ts";
import { unwrapCommand } from "../wrapper/unwrap-command.ts";

/**
 * The state that commands of a script may change for each other: the folder and the variables of
 * their shell.
 */
export interface Surroundings extends Reach {
  /** Whether they may also run in a folder that is only known when they run. */
  readonly hasUnknownFolder: boolean;
  /** Whether they may also get variables that are only known when they run. */
  readonly hasUnknownVariable: boolean;
  /** Variables that the script puts into the environment. */
  readonly exported: readonly string[];
  /** Variables that the script sets in the shell alone. */
  readonly local: readonly string[];
}

/**
 * The state in which the commands of a script run, as far as the script changes it. Order does not
 * count: a loop or a function may run a command after later lines, and a `cd` may fail.
 */
export function findSurroundings(
  commands: readonly SimpleCommand[],
  outer: Surroundings,
  dialect: ShellDialect,
): Surroundings {
  const own = listShellCommands(commands, dialect, 0);
  const places = own.reduce<Surroundings>((before, { words }) => follow(before, words), outer);
  return {
    ...places,
    hasUnknownVariable: outer.hasUnknownVariable || own.some(({ words }) => findSetVariables(words) === null),
    exported: [...outer.exported, ...own.flatMap(({ words }) => findOperandNames(words, exporting))],
    local: [...outer.local, ...own.flatMap(findLocalNames)],
  };
}

const maximumDepth = 8;
const sameShell: ReadonlySet<string> = new Set(["builtin", "command", "eval", "trap"]);

/** The commands that run in the shell itself, with those that `eval` and `builtin` hand to it. */
function listShellCommands(
  commands: readonly SimpleCommand[],
  dialect: ShellDialect,
  depth: number,
): readonly SimpleCommand[] {
  return commands.flatMap((command) => {
    const inner =
      depth < maximumDepth && sameShell.has(command.words[0]?.text ?? "") ? unwrapCommand(command, dialect) : null;
    return inner === null ? [command] : [command, ...listShellCommands(inner.commands, dialect, depth + 1)];
  });
}

const moving: ReadonlySet<string> = new Set(["cd", "chdir", "popd", "pushd"]);

/** A script that changes its folder more often runs its commands in a folder that is not known. */
const maximumFolders = 32;

/** The surroundings after a command that may change the folder. */
function follow(before: Surroundings, [program, ...given]: readonly ShellWord[]): Surroundings {
  if (program === undefined || !moving.has(program.text)) return before;
  const target = findTarget(program.text, given);
  const path = target === null ? null : toPath(target, before.home);
  // For danger an expansion counts as empty, its worst case.
  const guess = path ?? target?.withoutExpansions.replace(/^~(?=\/|$)/, before.home ?? "/");
  const reached =
    guess === undefined ? [] : guess.startsWith("/") ? [guess] : before.folders.map((folder) => `${folder}/${guess}`);
  const folders = [...new Set([...before.folders, ...reached])];
  return {
    ...before,
    folders: folders.slice(0, maximumFolders),
    hasUnknownFolder: before.hasUnknownFolder || path === null || folders.length > maximumFolders,
  };
}

/** The operand that names the folder; null where nothing, or a place in the shell's own list, does. */
function findTarget(program: string, given: readonly ShellWord[]): ShellWord | null {
  const start = given.findIndex((word) => !/^-[LPe@qs]+$/.test(word.text));
  const operands = (start === -1 ? [] : given.slice(start)).filter((word, index) => index > 0 || word.text !== "--");
  const [target] = operands;
  if (target === undefined && program !== "popd" && program !== "pushd") return homeFolder;
  const isListed = target === undefined || program === "popd" || /^(?:-|[-+]\d+)$/.test(target.text);
  return isListed || operands.length > 1 ? null : target;
}

const homeFolder: ShellWord = { kind: "operand", text: "~", head: "", withoutExpansions: "~" };
const namedFolder = /^"?(?:~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\})(?:\/[\w./-]*)?"?(?:\/[\w./-]*)?$/;

/** The path that a word names, absolute or from the folder before; null where only the run tells. */
function toPath(word: ShellWord, home: string | null): string | null {
  if (word.kind === "static") return word.text;
  if (!namedFolder.test(word.text)) return null;
  const path = word.withoutExpansions;
  if (!path.startsWith("~")) return path;
  return home === null ? null : `${home}${path.slice(1)}`;
}

const exporting: ReadonlySet<string> = new Set(["declare", "export", "float", "integer", "typeset"]);
/** In POSIX shells what is set in front of these stays set. */
const specialBuiltins: ReadonlySet<string> = new Set(
  ": . break continue eval exec exit export readonly return set shift times trap unset".split(" "),
);

function findLocalNames({ words, assignments }: SimpleCommand): readonly string[] {
  const stays = words.length === 0 || specialBuiltins.has(words[0]?.text ?? "");
  return [
    ...(stays ? assignments : []),
    ...(exporting.has(words[0]?.text ?? "") ? [] : (findSetVariables(words) ?? [])),
  ];
}

function findOperandNames(
  [program, ...operands]: readonly ShellWord[],
  programs: ReadonlySet<string>,
): readonly string[] {
  if (!programs.has(program?.text ?? "")) return [];
  return operands.flatMap((word) => /^[A-Za-z_]\w*/.exec(word.head)?.[0] ?? []);
}
