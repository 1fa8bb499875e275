import type { Command, ParameterExpansionPart, SyntaxNode, TestBinaryExpression, Word } from "unbash";
import { findDialectFlaw } from "./find-dialect-flaw.ts";
import type { ShellDialect } from "../command/shell-dialect.ts";
import type { ScriptFlaw } from "./script-flaw.ts";

/**
 * Why one node of a script does more than the commands below it. Arithmetic counts: the shell
 * evaluates the *value* of a variable there, so that `x='a[$(id)]'; echo $((x))` runs `id`.
 */
export function findFlaw(node: SyntaxNode, source: string, dialect: ShellDialect): ScriptFlaw | null {
  const missing = findMissingPart(node);
  if (missing !== null) return { type: "unreadable", reason: missing };
  const foreign = findDialectFlaw(node, source, dialect);
  if (foreign !== null) return { type: "unreadable", reason: foreign };
  const hidden = findHiddenEvaluation(node, dialect);
  return hidden === null ? null : { type: "unsure", reason: hidden };
}

function findMissingPart(node: SyntaxNode): string | null {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a union of a library that grows without us: what is not named is none of these
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined ? "a command substitution that cannot be read" : null;
    case "HereDoc":
      return node.closing === undefined || node.delimiter === undefined ? "a here-document without its end" : null;
    case "Redirect":
    case "HereString":
      return node.target === undefined ? "a redirection without a target" : null;
    default:
      return null;
  }
}

function findHiddenEvaluation(node: SyntaxNode, dialect: ShellDialect): string | null {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a union of a library that grows without us: what is not named is none of these
  switch (node.type) {
    case "Command":
      return dialect === "sh" && comparesNumbers(node) ? "arithmetic with a variable" : null;
    case "ParameterExpansion":
      return findExpansionFlaw(node);
    case "ArithmeticWord":
      return isNumber(node.value) ? null : "arithmetic with a variable";
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      return node.expression === undefined ? "arithmetic that cannot be read" : null;
    case "Assignment":
      return node.index === undefined || isNumber(node.index.text) ? null : "a computed array index";
    case "ArrayValue":
      return node.elements.some((element) => element.text.startsWith("[")) ? "a computed array index" : null;
    case "TestBinary":
      return isPlainTest(node) ? null : "arithmetic with a variable";
    case "TestUnary":
      return namesVariable(node.operator) && !isName(node.operand.text) ? "a test of a variable's name" : null;
    case "Coproc":
      return "a coprocess, which sets variables";
    case "FileDescriptorVariable":
      return "a descriptor kept in a variable";
    default:
      return null;
  }
}

/** `[ "$x" -eq 1 ]`: Korn shells, which `sh` may be, evaluate the value of `x` there, too. */
function comparesNumbers({ name, suffix }: Command): boolean {
  if (!/^(?:\[|test)$/.test(name?.value ?? "")) return false;
  const texts = suffix.flatMap((part) => ("text" in part ? [part.text] : []));
  return texts.some((text) => comparison.test(text)) && texts.some((text) => /[$`]/.test(text));
}

function findExpansionFlaw(node: ParameterExpansionPart): string | null {
  const listsIndexes = node.operation === undefined && /^[@*]$/.test(node.index?.text ?? "");
  if (node.prefix === "!" && !listsIndexes) return "an indirect expansion";
  if (node.index !== undefined && !/^(?:\d+|[@*])$/.test(node.index.text)) return "a computed array index";
  const { operation } = node;
  switch (operation?.type) {
    case undefined:
    case "Remove":
    case "Replace":
    case "CaseModification":
      return null;
    case "Default":
      return operation.operator.endsWith("=") ? "an expansion that sets a variable" : null;
    case "Slice":
      return isSlice(operation.offset, operation.length) ? null : "arithmetic with a variable";
    case "Transform":
      // Quotes, upper and lower case. `@P` and `@E` are read as a prompt and for escapes.
      return /^[QUuL]$/.test(operation.operand.text) ? null : "an expansion that may run commands";
    case "Names":
    case "Unknown":
      return "an expansion that may run commands";
  }
}

function isSlice(offset: Word, length: Word | undefined): boolean {
  return isNumber(offset.text) && (length === undefined || isNumber(length.text));
}

const comparison = /^-(?:eq|ne|lt|le|gt|ge)$/;

function isPlainTest(node: TestBinaryExpression): boolean {
  if (!comparison.test(node.operator)) return true;
  return isNumber(node.left.text) && isNumber(node.right.text);
}

function namesVariable(operator: string): boolean {
  return operator === "-v" || operator === "-R";
}

/** A name without an index, which the shell would evaluate. */
function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

function isNumber(text: string): boolean {
  return /^\s*-?\d+$/.test(text);
}
