import type { ShellDialect } from "../command/shell-dialect.ts";
import { type ShellWord, toStaticWord } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand } from "../command/simple-command.ts";
import { isSafeFind } from "../safe/is-safe-find.ts";
import { plainWrapper, type Unwrapped } from "./unwrapped.ts";

/** The effect of `find` itself, and the commands that it runs on files it finds. */
interface FindParts {
  readonly own: readonly ShellWord[];
  readonly commands: readonly (readonly ShellWord[])[];
}

const executes = /^-(?:exec|execdir|ok|okdir)$/;
const unknownWord: ShellWord = { kind: "dynamic", text: "{}", head: "", withoutExpansions: "" };

/** Takes the `-exec …;` parts out of the words of a `find`. */
function splitFind(words: readonly ShellWord[]): FindParts {
  const own: ShellWord[] = [];
  const commands: ShellWord[][] = [];
  let open: ShellWord[] | null = null;
  let found = unknownWord;
  for (const word of words) {
    if (open === null && executes.test(word.text)) {
      open = [];
      found = word.text.endsWith("dir") ? unknownWord : toFoundFile(own);
      if (word.text.endsWith("dir")) commands.push([toStaticWord("cd"), unknownWord]);
      commands.push(open);
    } else if (open === null) own.push(word);
    else if (word.text === ";" || (word.text === "+" && open.at(-1)?.text === "{}")) open = null;
    else open.push(toInnerWord(word, found));
  }
  return { own, commands };
}

/** A found path starts with the folder that was searched, so it is not an option. With `-execdir` or an unknown folder it may be one. */
function toFoundFile(own: readonly ShellWord[]): ShellWord {
  const end = own.findIndex((word, index) => index > 0 && /^[-(!]/.test(word.text));
  const folders = own.slice(1, end === -1 ? own.length : end);
  return folders.every((word) => word.kind !== "dynamic") ? { ...unknownWord, kind: "operand" } : unknownWord;
}

function toInnerWord(word: ShellWord, found: ShellWord): ShellWord {
  if (word.text === "{}") return found;
  return word.text.includes("{}") ? unknownWord : word;
}

/** `find … -exec`; null for a `find` that runs nothing, and for any other program. */
export function unwrapFind(command: SimpleCommand, name: string, dialect: ShellDialect): Unwrapped | null {
  if (name !== "find") return null;
  const { own, commands } = splitFind(command.words);
  if (commands.length === 0) return null;
  return {
    ...plainWrapper,
    commands: commands.map(toSimpleCommand),
    dialect,
    coverage: command.words.length,
    transparent: isSafeFind(own),
  };
}
