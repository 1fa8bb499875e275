import type { ParsedScript, SyntaxNode } from "unbash";

const plainNodes: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>(["Command", "Pipeline", "AndOr"]);

/**
 * Whether a substitution may hold a here-document that something follows. Bash 5.2 loses the separator there, so that
 * `$(a <<E` … `E` newline `b; c)` runs `b` with the argument `c`: what the script says is not what runs.
 */
export function hasMisreadHereDoc(script: ParsedScript, source: string): boolean {
  const [statement] = script.commands;
  if (script.commands.length === 1 && statement && plainNodes.has(statement.command.type)) return false;
  return /(?<!<)<<(?!<)/.test(source.slice(script.pos, script.end));
}
