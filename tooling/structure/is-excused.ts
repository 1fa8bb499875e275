import type { SourceFile } from "./parse-source.ts";

/** Whether the line, or the one above it, says `structure-ignore <rule>: <reason>`; without a reason it does not count. */
export function isExcused(source: SourceFile, line: number, rule: string): boolean {
  return source.text
    .split("\n")
    .slice(Math.max(0, line - 2), line)
    .some((text) => new RegExp(`// structure-ignore ${rule}: \\S`).test(text));
}
