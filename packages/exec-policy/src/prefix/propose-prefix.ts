import { recogniseRead } from "../safe/recognise-read.ts";
import type { GitSettings } from "../command/judge-context.ts";
import { baseName } from "../command/program-path.ts";
import { type ShellWord, textsOf, toStaticWords } from "../command/shell-word.ts";
import { findWidthWarning } from "./find-width-warning.ts";
import { interpreter, namingWords } from "./prefix-shapes.ts";

/** The best case for a prefix. */
const harmlessSettings: GitSettings = { runsPrograms: false, hasSubmodules: false };

/** In UTF-16 units: nobody would read a longer command as a prefix. */
const maximumPrefixLength = 160;

/**
 * The prefix that "always allow" offers for a command: the words that name its action (`npm run test`, `git commit`), else
 * the whole command. Never an interpreter or a tool of many commands by itself. Null if no prefix would be narrow enough. If some
 * words are known only when the command runs, the words before the first of them count.
 */
export function proposePrefix(words: readonly ShellWord[]): readonly string[] | null {
  const firstUnknown = words.findIndex((word) => word.kind !== "static");
  const argv = textsOf(firstUnknown === -1 ? words : words.slice(0, firstUnknown));
  const naming = proposeNamingWords(argv);
  if (naming !== null) return naming;
  const isReadable = argv.join(" ").length <= maximumPrefixLength && argv.every((text) => /^[^\n\r]+$/.test(text));
  return firstUnknown === -1 && isReadable && findWidthWarning(argv) === null ? argv : null;
}

function proposeNamingWords(argv: readonly string[]): readonly string[] | null {
  const [program = "", first = "", second = ""] = argv;
  const name = baseName(program);
  if (interpreter.test(name)) {
    if (first === "-m" && second !== "" && !second.startsWith("-")) return argv.slice(0, 3);
    return first === "" || first.startsWith("-") ? null : argv.slice(0, 2);
  }
  const count = namingWords.get(`${name} ${first}`) ?? namingWords.get(name);
  if (count === undefined || argv.length < count) return null;
  const prefix = argv.slice(0, count);
  // A command that reads was asked about because of its further words: they become part of the
  // rule.
  if (recogniseRead(toStaticWords(prefix), harmlessSettings) !== null) return null;
  return prefix.slice(1).every((word) => /^[\w@][\w@:./+-]*$/.test(word)) ? prefix : null;
}
