import { checkShape } from "@unroll/text";
import {
  type Assignment,
  type Command,
  type For,
  forEachChild,
  type Function as FunctionNode,
  parse,
  type ParsedScript,
  type Pipeline,
  type Select,
  type SyntaxNode,
  type Word,
} from "unbash";
import { findFlaw } from "../flaw/find-flaw.ts";
import { hasDroppedText } from "../flaw/has-dropped-text.ts";
import { hasMisreadHereDoc } from "../flaw/has-misread-here-doc.ts";
import { isForkBomb } from "../flaw/is-fork-bomb.ts";
import { readRedirects } from "./read-redirects.ts";
import type { ShellWord } from "../command/shell-word.ts";
import { type SimpleCommand, toSimpleCommand, type VariableValue } from "../command/simple-command.ts";
import type { ShellDialect } from "../command/shell-dialect.ts";
import type { ScriptFlaw } from "../flaw/script-flaw.ts";
import { type ScriptReading, toUnreadable } from "./script-reading.ts";
import { toShellWord } from "./to-shell-word.ts";

/** In UTF-16 units. A longer script is not read at all. */
const maximumScriptLength = 100_000;

/** The inputs of each command are remembered, so the work grows with their square. */
const maximumCommands = 2000;

/** In levels of the syntax tree, about five for each command in a command. `unbash` has no bound of its own here. */
const maximumDepth = 300;

/** POSIX finds these before a function of the same name. */
const specialBuiltins = new Set(
  ": . break continue eval exec exit export readonly return set shift times trap unset".split(" "),
);

/** Finds every simple command of a script. Never throws; what it cannot vouch for is a flaw of the reading. */
export function readScript(script: string, dialect: ShellDialect): ScriptReading {
  checkShape("readScript", { script, dialect }, { script: "text", dialect: ["bash", "sh", "zsh"] });
  if (script.length > maximumScriptLength) return toUnreadable("a script that is too long to read");
  if (script.includes("\0")) return toUnreadable("a NUL character in the script");
  const walk: Walk = { dialect, commands: [], flaws: [], forkBombs: [], functions: new Set() };
  readStatements(parse(script), { walk, source: script, feeds: [], depth: 0 });
  const flaw = walk.flaws.find((candidate) => candidate.type === "unreadable") ?? walk.flaws[0] ?? null;
  return { commands: walk.commands, flaw, forkBombs: walk.forkBombs };
}

/** The results collected from one script. */
interface Walk {
  readonly dialect: ShellDialect;
  readonly commands: SimpleCommand[];
  readonly flaws: ScriptFlaw[];
  readonly forkBombs: string[];
  /** Functions that are surely defined by now: their bodies are in `commands` already. */
  readonly functions: Set<string>;
}

interface Scope {
  readonly walk: Walk;
  /** The text that positions in the tree refer to; text within backquotes has its own. */
  readonly source: string;
  readonly feeds: readonly SimpleCommand[];
  readonly depth: number;
}

/** The statements of the script itself: a function that is defined here is defined for all that follow. */
function readStatements(script: ParsedScript, scope: Scope): void {
  reportErrors(script, scope);
  for (const statement of script.commands) {
    visit(statement, scope);
    const { command } = statement;
    if (command.type !== "Function" || statement.background === true) continue;
    const name = command.name.text;
    if (/^[A-Za-z_]\w*$/.test(name) && !specialBuiltins.has(name)) scope.walk.functions.add(name);
  }
}

function reportErrors(script: ParsedScript, scope: Scope): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) report(scope, `a syntax error at character ${error.pos + 1} (${error.message})`);
}

function report(scope: Scope, reason: string): void {
  scope.walk.flaws.push({ type: "unreadable", reason });
}

function add(scope: Scope, command: SimpleCommand): void {
  const { commands } = scope.walk;
  if (commands.length < maximumCommands) commands.push(command);
  else if (scope.walk.flaws.at(-1)?.reason !== tooMany) report(scope, tooMany);
}

const tooMany = "more commands than are read";

function visit(node: SyntaxNode, scope: Scope): void {
  const flaw = findFlaw(node, scope.source, scope.walk.dialect);
  if (flaw !== null) scope.walk.flaws.push(flaw);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a union of a library that grows without us: what is not named is none of these
  switch (node.type) {
    case "Command":
      return visitCommand(node, scope);
    case "Pipeline":
      return visitPipeline(node, scope);
    case "Script":
      return visitSubstitution(node, { ...scope, source: node.source ?? scope.source });
    case "Function":
      return visitFunction(node, scope);
    case "For":
    case "Select":
      return visitLoop(node, scope);
    case "Redirected":
      visitChildren(node, scope);
      add(scope, { ...toSimpleCommand([]), ...readRedirects(node.redirects) });
      return;
    default:
      return visitChildren(node, scope);
  }
}

function visitChildren(node: SyntaxNode, scope: Scope): void {
  if (scope.depth > maximumDepth) return report(scope, "too many commands inside each other");
  const inner = { ...scope, depth: scope.depth + 1 };
  forEachChild(node, (child) => visit(child, inner));
}

/** The commands found below a node. */
function collect(node: SyntaxNode, scope: Scope): readonly SimpleCommand[] {
  const start = scope.walk.commands.length;
  visitChildren(node, scope);
  return scope.walk.commands.slice(start);
}

function visitSubstitution(node: ParsedScript, scope: Scope): void {
  reportErrors(node, scope);
  if (hasMisreadHereDoc(node, scope.source)) report(scope, "a here-document among other commands in a substitution");
  visitChildren(node, scope);
}

function visitCommand(node: Command, scope: Scope): void {
  const substituted = collect(node, scope);
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  if (hasDroppedText(parts, scope.source)) report(scope, "text between two words that belongs to neither");
  const words = [node.name, ...node.suffix].filter(isWordLike).map(toWord);
  const assignments = [...node.prefix, ...node.suffix].filter((part) => part.type === "Assignment");
  const [program] = words;
  // The body of a function was read where it is defined, without the variables that a call gives it.
  const isKnownCall = assignments.length === 0 && program?.kind === "static" && scope.walk.functions.has(program.text);
  add(scope, {
    words: isKnownCall ? [] : words,
    assignments: assignments.map((assignment) => assignment.name),
    values: assignments.flatMap(toValues),
    ...readRedirects(node.redirects),
    feeds: [...scope.feeds, ...substituted],
  });
}

function toValues({ name, value }: Assignment): readonly VariableValue[] {
  const words = value.type === "Word" ? [value] : value.elements;
  return words.map((word) => ({ name, value: toShellWord(word) }));
}

function isWordLike(part: Command["suffix"][number] | undefined): part is Word | Assignment {
  return part?.type === "Word" || part?.type === "Assignment";
}

function toWord(part: Word | Assignment): ShellWord {
  if (part.type === "Word") return toShellWord(part);
  return { kind: "operand", text: part.text, head: `${part.name}=`, withoutExpansions: part.text };
}

/** Every command of a later stage of a pipeline may read the output of an earlier one. */
function visitPipeline(node: Pipeline, scope: Scope): void {
  let { feeds } = scope;
  for (const stage of node.commands) {
    const start = scope.walk.commands.length;
    visit(stage, { ...scope, feeds });
    feeds = [...feeds, ...scope.walk.commands.slice(start)];
  }
}

function visitFunction(node: FunctionNode, scope: Scope): void {
  if (isForkBomb(node)) scope.walk.forkBombs.push(node.name.value);
  visitChildren(node, scope);
}

/** A loop sets its variable, which may be one that changes what later commands do. */
function visitLoop(node: For | Select, scope: Scope): void {
  if (hasDroppedText(node.wordlist ?? [], scope.source)) report(scope, "text between two words of a loop");
  const values = (node.wordlist ?? []).map((word) => ({ name: node.name.value, value: toShellWord(word) }));
  add(scope, { ...toSimpleCommand([]), assignments: [node.name.value], values });
  visitChildren(node, scope);
}
