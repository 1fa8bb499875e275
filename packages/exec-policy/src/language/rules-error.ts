import { checkShape } from "@unroll/text";

/** A place in a rules file. Lines and columns count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Why a rules file was refused: where, and what was found and expected there. */
export interface RulesError extends Position {
  readonly file: string;
  readonly message: string;
}

/** `file:line:column: message`, the form that editors and terminals link. */
export function formatRulesError(error: RulesError): string {
  checkShape("formatRulesError", error, { file: "text", line: "a number", column: "a number", message: "text" });
  return `${error.file}:${error.line}:${error.column}: ${error.message}`;
}
