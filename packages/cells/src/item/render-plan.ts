import type { TodoListThreadItem } from "@unroll/protocol";
import { expandTabs, type StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

/** The plan as a checklist; the first step that is not done is the one that it is at. */
export function renderPlan({ items }: Pick<TodoListThreadItem, "items">): readonly StyledLine[] {
  const done = items.filter(({ completed }) => completed).length;
  const current = items.findIndex(({ completed }) => !completed);
  const steps = items.map(({ text, completed }, at): StyledLine => {
    const shown = expandTabs(toShownText(text).replaceAll("\n", " "));
    const [mark, look] = completed
      ? [toSpan("  ✓ ", ["success"]), toSpan(shown, ["muted"])]
      : at === current
        ? [toSpan("  ▸ ", ["accent"]), toSpan(shown, ["strong"])]
        : [toSpan("  ○ ", ["muted"]), toSpan(shown)];
    return { spans: [mark, look], wrap: "words", hanging: [{ text: "    " }] };
  });
  return [{ spans: [toSpan(`Plan: ${done} of ${items.length} done`, ["muted"])], wrap: "words" }, ...steps];
}
