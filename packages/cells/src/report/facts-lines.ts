import { expandTabs, type StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

/** A name and its current value. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Names and values in two columns, the values wrapped: the body of `/status`. */
export function renderFacts(facts: readonly Fact[]): readonly StyledLine[] {
  const width = facts.reduce((most, { name }) => Math.max(most, name.length), 0) + 2;
  const indent = [{ text: " ".repeat(width) }];
  return facts.flatMap(({ name, value }) =>
    toShownText(value)
      .split("\n")
      .map((line, at): StyledLine => ({
        spans: [toSpan(at === 0 ? name.padEnd(width) : " ".repeat(width), ["muted"]), toSpan(expandTabs(line))],
        wrap: "words",
        hanging: indent,
      })),
  );
}
