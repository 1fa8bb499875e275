import type { UserInputPart } from "@unroll/protocol";

/** The texts of a message, one per line. */
export function readInputText(input: readonly UserInputPart[]): string {
  return input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
