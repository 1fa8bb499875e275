import { type Role, type StyledLine, toStyledLines } from "@unroll/screen";

/** A text of ours as lines. */
export function toLines(text: string, roles: readonly Role[] = []): readonly StyledLine[] {
  return toStyledLines(text, { roles, wrap: "words" });
}
