import type { Role, Span, StyledLine } from "@unroll/screen";

export const emptyLine: StyledLine = { spans: [], wrap: "words" };

/** One span; without the member where there are no roles. */
export function toSpan(text: string, roles: readonly Role[] = []): Span {
  return roles.length === 0 ? { text } : { text, roles };
}
