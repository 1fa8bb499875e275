import { baseName, isSystemProgram } from "../command/program-path.ts";
import type { ShellDialect } from "../command/shell-dialect.ts";
import { readScript } from "../script/read-script.ts";
import { toUnreadable, unknownScript } from "../script/script-reading.ts";
import { plainWrapper, type Unwrapped } from "./unwrapped.ts";
import type { ShellWord } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand, type VariableValue } from "../command/simple-command.ts";
import { hidesProgram, listGivenTexts, listPossibleCommands, speaks } from "./list-possible-commands.ts";
import { unwrapFind } from "./unwrap-find.ts";
import { isFile, unwrapShell } from "./unwrap-shell.ts";
import { opaqueWrappers, type WrapperSyntax, wrapperSyntaxes } from "./wrapper-syntax.ts";

/** How far the words of an opaque wrapper are searched. */
const maximumCandidates = 16;

/**
 * The commands that a wrapper (`env`, `sudo`, `timeout`, `xargs`, `find -exec`, `bash -c`, `eval`, …) runs; null if the
 * command is not a wrapper. `dialect` is the shell that runs the command itself.
 */
export function unwrapCommand(command: SimpleCommand, dialect: ShellDialect): Unwrapped | null {
  const [program] = command.words;
  if (program?.kind !== "static") return null;
  const name = baseName(program.text).toLowerCase();
  const unwrapped =
    unwrapShell(command, name) ?? unwrapEvaluation(command, dialect) ?? unwrapFind(command, name, dialect);
  const found = unwrapped ?? unwrapOptions(command, name, dialect);
  if (found === null) return null;
  const isGenuine = !program.text.includes("/") || isSystemProgram(program.text);
  return {
    ...found,
    transparent: found.transparent && isGenuine,
    commands: found.commands.map((inner) => ({ ...inner, feeds: [...inner.feeds, ...command.feeds] })),
  };
}

/** `eval` and `trap` run their text in the shell that they are in, `source` what it reads. */
function unwrapEvaluation(command: SimpleCommand, dialect: ShellDialect): Unwrapped | null {
  const [program, ...given] = command.words;
  const [first, ...rest] = given[0]?.text === "--" ? given.slice(1) : given;
  if (first === undefined || first.text.startsWith("-")) return null;
  const evaluated = { ...plainWrapper, dialect, coverage: command.words.length };
  if (/^(?:source|\.)$/.test(program?.text ?? "")) return isFile(first) ? null : { ...evaluated, ...unknownScript };
  const isEval = program?.text === "eval";
  if (!isEval && (program?.text !== "trap" || rest.length === 0)) return null;
  const texts = isEval ? [first, ...rest] : [first];
  const reading = texts.every((word) => word.kind === "static")
    ? readScript(texts.map((word) => word.text).join(" "), dialect)
    : unknownScript;
  return { ...evaluated, ...reading };
}

function unwrapOptions(command: SimpleCommand, name: string, dialect: ShellDialect): Unwrapped | null {
  const { words } = command;
  const syntax = wrapperSyntaxes.get(name);
  if (syntax === undefined) return opaqueWrappers.has(name) ? searchWords(command, dialect) : null;
  if (name === "command" && /^-\w*[vV]/.test(words[1]?.text ?? "")) return null;
  const start = findStart(words, syntax);
  if (start === null) return searchWords(command, dialect);
  if (start.index >= words.length) return null;
  const inner = words.slice(start.index);
  const supplied = name === "xargs" ? toSuppliedWords(inner, words.slice(0, start.index)) : inner;
  return {
    ...plainWrapper,
    commands: [
      { ...toSimpleCommand(supplied), assignments: start.assignments, values: start.values, input: command.input },
    ],
    dialect,
    coverage: start.index + 1,
    transparent: syntax.transparent,
    dropsEnvironment: dropsEnvironment(name, words.slice(1, start.index)),
    writesOutput: syntax.writesOutput,
  };
}

/** `env -i`, `env -u NAME`, `exec -c`. */
function dropsEnvironment(name: string, own: readonly ShellWord[]): boolean {
  if (name === "exec") return own.some((word) => /^-\w*c/.test(word.text));
  return name === "env" && own.some((word) => /^-(?:\w*[iu]|-ignore|-unset)/.test(word.text));
}

interface InnerStart extends Pick<SimpleCommand, "assignments" | "values"> {
  readonly index: number;
}

/** Where the inner command starts; null where an option makes that unclear. */
function findStart(words: readonly ShellWord[], syntax: WrapperSyntax): InnerStart | null {
  let index = 1;
  for (let word = words[index]; word?.text.startsWith("-") === true; word = words[index]) {
    const width = word.kind === "static" ? optionWidth(word.text, syntax) : null;
    if (width === null) return null;
    index += width;
    if (word.text === "--") break;
  }
  const end = syntax.assignments ? findEnd(words, index) : index;
  const values = words.slice(index, end).map(toValue);
  index = end;
  const own = words.slice(index, index + syntax.positionals);
  if (!own.every((word) => word.kind === "static")) return null;
  return { index: index + syntax.positionals, assignments: values.map(({ name }) => name), values };
}

/** Behind the words that set variables. `env` takes any name: `BASH_FUNC_ls%%=…`. */
function findEnd(words: readonly ShellWord[], start: number): number {
  const end = words.findIndex(({ head }, index) => index >= start && !/^[^=]+=/.test(head));
  return end < 0 ? words.length : end;
}

function toValue(word: ShellWord): VariableValue {
  const name = word.head.slice(0, word.head.indexOf("="));
  return { name, value: { ...word, text: word.text.slice(word.text.indexOf("=") + 1) } };
}

/** How many words an option takes; null where it is not one of the syntax. */
function optionWidth(text: string, syntax: WrapperSyntax): 1 | 2 | null {
  if (text === "--") return 1;
  if (text.startsWith("--")) {
    const name = text.split("=", 1)[0] ?? text;
    if (syntax.longFlags.includes(text)) return 1;
    if (name !== text && syntax.longValues.includes(`${name}=`)) return 1;
    if (!syntax.longValues.includes(name)) return null;
    return name === text ? 2 : 1;
  }
  for (const [position, letter] of Array.from(text.slice(1)).entries()) {
    if (syntax.values.includes(letter)) return position === text.length - 2 ? 2 : 1;
    if (!syntax.flags.includes(letter)) return null;
  }
  return text === "-" ? null : 1;
}

/** Stands for words that are read from somewhere. */
const suppliedWord: ShellWord = { kind: "dynamic", text: "{}", head: "", withoutExpansions: "" };

/** `xargs` adds what it reads: at the end, or wherever its `-I` text stands. */
function toSuppliedWords(inner: readonly ShellWord[], own: readonly ShellWord[]): readonly ShellWord[] {
  const marks = own.flatMap((word, index) => {
    const inline = /^(?:-I|--replace=)(.+)/.exec(word.text)?.[1];
    if (inline !== undefined) return [inline];
    return /^-\w*I$/.test(word.text) ? [own[index + 1]?.text ?? "{}"] : [];
  });
  if (marks.length === 0) return [...inner, suppliedWord];
  return inner.map((word) => (marks.some((mark) => word.text.includes(mark)) ? suppliedWord : word));
}

/** The commands that the words may hold. Options with more than a letter (`env -vS'rm x'`) may hide another one. */
function searchWords(command: SimpleCommand, dialect: ShellDialect): Unwrapped {
  const words = [...command.words.slice(1), ...listGivenTexts(command)];
  const possible = listPossibleCommands(words);
  const isKnown = words.every((word) => word.kind === "static" && !mayHide(word.text, command));
  const isFed = inputShells.test(baseName(command.words[0]?.text ?? "")) && !command.feeds.every(speaks);
  const isWhole = isKnown && !isFed && possible.length <= maximumCandidates;
  return {
    ...plainWrapper,
    ...(isWhole ? {} : toUnreadable("a command that is only known when it runs")),
    commands: possible.slice(0, maximumCandidates),
    dialect,
    coverage: Number.POSITIVE_INFINITY,
    transparent: false,
    isSearched: true,
    dropsEnvironment: true,
  };
}

/** Wrappers that run what they read, whatever their words. */
const inputShells = /^(?:at|batch|newgrp)$/;

/** Whether an option of a wrapper, or text that it runs, may hold a command that the words do not show. */
function mayHide(text: string, { words: [program] }: SimpleCommand): boolean {
  if (/^-[^-].|^-.*\s/s.test(text)) return true;
  // `env -S` has expansions and escapes of its own.
  if (baseName(program?.text ?? "") === "env") return /[$`\\]/.test(text);
  return /[$`]/.test(text) && hidesProgram(text);
}
