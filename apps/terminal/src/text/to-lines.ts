import { type Role, type StyledLine, toRowText, toStyledLines } from "@unroll/screen";

/** A text of ours as lines; one that is indented, or has a mark in front, stays so where it is wrapped. */
export function toLines(text: string, roles: readonly Role[] = []): readonly StyledLine[] {
  return toStyledLines(text, { roles, wrap: "words" }).map((line) => {
    const [indent = ""] = /^ *(?:[›•] )?/.exec(toRowText(line.spans)) ?? [];
    return indent === "" ? line : { ...line, hanging: [{ text: " ".repeat(indent.length) }] };
  });
}
