import { type PagerSource, type StyledLine, toRowText } from "@unroll/screen";
import { emptyLine } from "./plain-line.ts";

/** Parts, one below the other, as lines of which only those of a part that is looked at are coloured, once. */
export function openParts(parts: readonly LinePart[]): PagerSource {
  const places = parts.flatMap((draw) => {
    let colored: readonly StyledLine[] | null = null;
    const look = (): readonly StyledLine[] => (colored ??= draw("colored"));
    return draw("plain").map((plain, at) => ({ plain, look: () => look()[at] ?? plain }));
  });
  return {
    count: places.length,
    at: (index) => places[index]?.look() ?? emptyLine,
    textAt: (index) => toRowText(places[index]?.plain.spans ?? []),
  };
}

/** Some of the lines of something that is shown. Drawn `plain`, its code has no colours, which take most of the time: the same lines, with the same text. */
export type LinePart = (colors: "colored" | "plain") => readonly StyledLine[];
