import type { Role, Span, StyledLine } from "@unroll/screen";

export const emptyLine: StyledLine = { spans: [], wrap: "words" };

/** One line of spans that is wrapped between words, its next rows as far in as `hanging`. */
export function wordLine(spans: readonly Span[], hanging = ""): StyledLine {
  return hanging === "" ? { spans, wrap: "words" } : { spans, wrap: "words", hanging: [{ text: hanging }] };
}

/** One span; without the member where there are no roles. */
export function toSpan(text: string, roles: readonly Role[] = []): Span {
  return roles.length === 0 ? { text } : { text, roles };
}
