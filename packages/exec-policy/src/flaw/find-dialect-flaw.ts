import type { SyntaxNode } from "unbash";
import type { ShellDialect } from "../command/shell-dialect.ts";

/** A part that Bash reads differently from the shell that will run the script; null: they agree. */
export function findDialectFlaw(node: SyntaxNode, source: string, dialect: ShellDialect): string | null {
  switch (dialect) {
    case "bash":
      return null;
    case "sh":
      return isPosix(node, source) ? null : "syntax that only Bash has, in a script for sh";
    case "zsh":
      return isZshToo(node) ? null : "syntax that zsh may read in another way";
  }
}

const bashNodes: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "AnsiCQuoted",
  "ArithmeticCommand",
  "ArithmeticFor",
  "ArrayValue",
  "Coproc",
  "ExtendedGlob",
  "BraceExpansion",
  "HereString",
  "LocaleString",
  "ProcessSubstitution",
  "Select",
  "TestCommand",
]);

function isPosix(node: SyntaxNode, source: string): boolean {
  if (bashNodes.has(node.type)) return false;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a union of a library that grows without us: what is not named is none of these
  switch (node.type) {
    case "Redirect":
      return !node.operator.startsWith("&") && (node.operator !== ">&" || /^[\d-]+$/.test(node.target?.text ?? ""));
    case "Pipeline":
      return !node.operators.includes("|&");
    case "Function":
      return node.name.pos === node.pos;
    case "Assignment":
      return node.append !== true && node.index === undefined;
    case "ParameterExpansion":
      return node.index === undefined && (!node.operation || /^(?:Default|Remove)$/.test(node.operation.type));
    case "ArithmeticExpansion":
      return source.startsWith("$((", node.pos);
    default:
      return true;
  }
}

const zshNodes: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "Script",
  "Statement",
  "AndOr",
  "Pipeline",
  "Command",
  "Assignment",
  "Word",
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "Redirect",
  "FileDescriptor",
]);

/** Only characters that mean themselves in an unquoted word of zsh; `=` in front would be a lookup. */
const zshText = /^(?!=)[\w./:,@%+=-]*$/;

function isZshToo(node: SyntaxNode): boolean {
  if (!zshNodes.has(node.type)) return false;
  if (node.type !== "Word") return true;
  if (node.parts === undefined) return zshText.test(node.text);
  return node.parts.every((part) => part.type !== "Literal" || zshText.test(part.text));
}
