import { type Command, parse, type PipelineNode } from "unbash";
import { hasDroppedText } from "../flaw/has-dropped-text.ts";
import { toShellWord } from "../script/to-shell-word.ts";

/** A command of a script whose words are all known before it runs. */
export interface PlainPart {
  readonly words: readonly string[];
  /** As it is written. */
  readonly text: string;
  /** Whether it is a stage of a pipeline. */
  readonly isPiped: boolean;
}

/**
 * The commands of a script that is only a row of them, joined by `&&`, `||`, `;`, `|` or a line's end. Null for any
 * other: one with an expansion, a redirection, an assignment, a subshell, a loop, or a command in the background.
 */
export function readPlainParts(script: string): readonly PlainPart[] | null {
  const { commands, errors = [] } = parse(script);
  if (errors.length > 0 || commands.some(({ background }) => background === true)) return null;
  const parts = commands.flatMap(({ command }) => listNodes(command)).map((node) => toPart(node, script));
  return parts.length > 0 && parts.every((part) => part !== null) ? parts : null;
}

interface Stage {
  readonly node: PipelineNode;
  readonly isPiped: boolean;
}

function listNodes(node: PipelineNode | { type: "AndOr"; commands: readonly PipelineNode[] }): readonly Stage[] {
  if (node.type === "AndOr") return node.commands.flatMap(listNodes);
  if (node.type !== "Pipeline" || node.prefixes.length > 0 || node.operators.includes("|&"))
    return [{ node, isPiped: false }];
  return node.commands.map((stage) => ({ node: stage, isPiped: true }));
}

function toPart({ node, isPiped }: Stage, script: string): PlainPart | null {
  if (node.type !== "Command") return null;
  const words = toPlainWords(node, script);
  return words && { words, text: script.slice(node.pos, node.end), isPiped };
}

function toPlainWords({ name, prefix, suffix }: Command, script: string): readonly string[] | null {
  if (name === undefined || prefix.length > 0 || hasDroppedText([name, ...suffix], script)) return null;
  const words = [name, ...suffix].map((word) => {
    // behind the program, `a=b` is a word like any other
    if (word.type === "Assignment") return /^[\w@%+=:,./-]+$/.test(word.text) ? word.text : null;
    const read = word.type === "Word" ? toShellWord(word) : null;
    return read?.kind === "static" ? read.text : null;
  });
  return words.every((word) => word !== null) ? words : null;
}
