import { isSafeFind } from "../safe/is-safe-find.ts";
import type { ShellDialect } from "./read-script.ts";
import type { ShellWord } from "./shell-word.ts";
import { type SimpleCommand, toSimpleCommand } from "./simple-command.ts";
import type { Unwrapped } from "./unwrap-command.ts";

/** What `find` itself does, and the commands that it runs on what it finds. */
interface FindParts {
  readonly own: readonly ShellWord[];
  readonly commands: readonly (readonly ShellWord[])[];
}

const executes = /^-(?:exec|execdir|ok|okdir)$/;
const foundFile: ShellWord = { kind: "dynamic", text: "{}", head: "", withoutExpansions: "" };

/** Takes the `-exec …;` parts out of the words of a `find`. */
function splitFind(words: readonly ShellWord[]): FindParts {
  const own: ShellWord[] = [];
  const commands: ShellWord[][] = [];
  let open: ShellWord[] | null = null;
  for (const word of words) {
    if (open === null && executes.test(word.text)) {
      open = [];
      commands.push(open);
    } else if (open === null) own.push(word);
    else if (word.text === ";" || (word.text === "+" && open.at(-1)?.text === "{}")) open = null;
    else open.push(word.text.includes("{}") ? foundFile : word);
  }
  return { own, commands };
}

/** `find … -exec`; null for a `find` that runs nothing, and for any other program. */
export function unwrapFind(command: SimpleCommand, name: string, dialect: ShellDialect): Unwrapped | null {
  if (name !== "find") return null;
  const { own, commands } = splitFind(command.words);
  if (commands.length === 0) return null;
  return {
    commands: commands.map(toSimpleCommand),
    flaw: null,
    forkBombs: [],
    dialect,
    coverage: command.words.length,
    transparent: isSafeFind(own),
  };
}
