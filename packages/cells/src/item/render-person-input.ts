import { expandTabs, type StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";
import type { PersonInput } from "./parse-person-input.ts";

/** What the model asked, with what the person answered below it. */
export function renderPersonInput(asked: readonly PersonInput[]): readonly StyledLine[] {
  const hanging = [{ text: "  " }];
  return asked.flatMap(({ question, answers }): readonly StyledLine[] => [
    { spans: [toSpan("? ", ["accent"]), toSpan(toOneLine(question))], wrap: "words", hanging },
    answers.length === 0
      ? { spans: [toSpan("  not answered", ["muted"])], wrap: "words" }
      : {
          spans: [toSpan("  › ", ["person"]), toSpan(toOneLine(answers.join(", ")), ["person"])],
          wrap: "words",
          hanging,
        },
  ]);
}

function toOneLine(text: string): string {
  return expandTabs(toShownText(text)).replaceAll(/\s*\n\s*/g, " ");
}
