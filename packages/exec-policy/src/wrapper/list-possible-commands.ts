import { type ShellWord, textsOf, toStaticWord, toStaticWords } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand } from "../command/simple-command.ts";
import { baseName } from "../command/program-path.ts";
import { readScript } from "../script/read-script.ts";
import { opaqueWrappers, wrapperSyntaxes } from "./wrapper-syntax.ts";

/** How many words of a possible command are given: enough for any rule. */
const maximumArguments = 64;

/** How deep text within text is read. */
const maximumDepth = 3;

/**
 * The commands that a program may find among words: enough to see what must not run, never enough to allow anything. Any word
 * may be a program whose arguments follow, so may an option's value, and text with blanks may be a script. A script may be
 * prose, so only some of its words count as programs: the first words, those that a known wrapper runs, and those after a shell
 * operator.
 */
export function listPossibleCommands(words: readonly ShellWord[], depth: number = 0): readonly SimpleCommand[] {
  const searched = depth === 0 || runsWords(words[0]) ? words : words.slice(0, 1);
  return searched.flatMap((word, index) => {
    const isAssignment = word.kind !== "static" && /^\w+=$/.test(word.head);
    if (word.kind !== "static" && !isAssignment) return [];
    const marked = depth === 0 ? listMarkedCommands(word.text, words.slice(index + 1, index + maximumArguments)) : [];
    return [
      ...marked,
      ...listValues(word.text).flatMap((value) => {
        const direct = toSimpleCommand([toStaticWord(value), ...words.slice(index + 1, index + maximumArguments)]);
        if (!isAssignment && !/[\s$`]/.test(value)) return [direct];
        if (depth === maximumDepth) return [toSimpleCommand([unknownWord])];
        return readScript(value, "sh").commands.flatMap((command) => listPossibleCommands(command.words, depth + 1));
      }),
    ];
  });
}

const unknownWord: ShellWord = { kind: "dynamic", text: "", head: "", withoutExpansions: "" };

/** Whether text that a wrapper runs as a script has a program that only the run tells. */
export function hidesProgram(text: string): boolean {
  const { commands, flaw } = readScript(text, "bash");
  const isOpen = ({ words }: SimpleCommand): boolean =>
    words.some(({ kind }, index) => kind !== "static" && (index === 0 || runsWords(words[0])));
  return flaw !== null || commands.some(isOpen);
}

/**
 * Programs in a text where a shell would look for one: at its start, behind `$(`, a bracket, `;`, `|`, `&`, `!`, a quote or a
 * comma. The words behind them are their arguments.
 */
export function listMarkedCommands(text: string, following: readonly ShellWord[] = []): readonly SimpleCommand[] {
  const found = [...text.matchAll(codeWord)];
  const words = found.map(([word]) => toStaticWord(word));
  return found.flatMap(({ 0: word, index: at }, index) => {
    const isNamed = /(?:^|["'[,]|[(`{;|&!\n]\s*)$/.test(text.slice(Math.max(at - maximumBlanks, 0), at));
    if (!isNamed || /^[=:]/.test(text.slice(at + word.length))) return [];
    return [toSimpleCommand([...words.slice(index, index + maximumArguments), ...following])];
  });
}

/** How many blanks between a sign of the shell and a program are looked over. */
const maximumBlanks = 16;

const codeWord = /[\w./][\w./+-]*/g;

/**
 * Words of code, and of expansions within a word, as commands: each of them that may be a wanted program, with those behind it.
 */
export function listMentionedCommands(
  code: string,
  isWanted: (program: ShellWord) => boolean,
): readonly SimpleCommand[] {
  const words = toStaticWords(code.match(codeWord) ?? []);
  return words.flatMap((word, index) =>
    isWanted(word) ? [toSimpleCommand(words.slice(index, index + maximumArguments))] : [],
  );
}

function runsWords(program: ShellWord | undefined): boolean {
  const name = baseName(program?.text ?? "").toLowerCase();
  return wrapperSyntaxes.has(name) || opaqueWrappers.has(name) || /^(?:eval|find|\w*sh)$/.test(name);
}

/** `rm` of `rm`, `NAME=rm`, `--option=name=rm`, `-xrm`, `EXEC:rm`, `ext::rm`, and of what programs take for a call of a shell: `!rm`, `+:!rm`, `|rm`. */
function listValues(text: string): readonly string[] {
  const attached = /^-[^-](.+)/s.exec(text)?.[1];
  const values = [text.startsWith("-") ? "" : text, text.slice(text.lastIndexOf("=") + 1), attached ?? ""];
  const bare = values.map((value) => value.replace(/^(?:[A-Z]+:|\w+::)|^[+:]*[!|]\s*/, ""));
  return [...new Set([...values, ...bare])].filter((value) => value !== "");
}

/** Text that a command is given by a here-document, or by `echo` in front of it. */
export function listGivenTexts({ input, feeds }: SimpleCommand): readonly ShellWord[] {
  const spoken = feeds.filter(speaks);
  return [...(input === null ? [] : [input]), ...spoken.flatMap(({ words }) => words.slice(1))];
}

/** Whether what a command prints is known. */
export function speaks({ words }: SimpleCommand): boolean {
  return words.length === 0 || /^(?:echo|printf)$/.test(textsOf(words)[0] ?? "");
}
