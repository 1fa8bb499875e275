import { quoteWord } from "@unroll/text";
import type { Probe } from "./shell-dialect.ts";

/**
 * A line for any shell, before all else: where commands cannot reach the folder (a `deny_read` hides it, or a mount), they
 * would start without the profile and with an error, so the shell says it and ends.
 */
export function toReadTest({ folder, nonce }: Pick<Probe, "folder" | "nonce">): string {
  return `[ -x ${quoteWord(folder)} ] || { printf '%s\\n' '${toMark(nonce)}'; exit 0; }`;
}

/** Not further down, where the dump has this very script. */
export function saysUnreadable(output: string, nonce: string): boolean {
  return output.startsWith(toMark(nonce));
}

function toMark(nonce: string): string {
  return `${nonce}:closed`;
}
