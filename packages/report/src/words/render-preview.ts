import type { ResponseItem } from "@unroll/protocol";
import { countNouns, groupDigits, shortenText, showHidden } from "@unroll/text";
import { renderItem } from "./render-sent-item.ts";

/** The effect of a compaction; estimates, in tokens. */
export type PreviewedCompaction =
  /** It would save almost nothing. */
  | { readonly type: "too_little"; readonly tokensBefore: number; readonly tokensAfter: number }
  | {
      readonly type: "shorter";
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly kept: {
        /** At the beginning of `before`. */
        readonly initialMessages: number;
        readonly userMessages: { readonly kept: number; readonly all: number };
        readonly steps: { readonly kept: number; readonly all: number };
      };
      readonly before: readonly ResponseItem[];
      readonly after: readonly ResponseItem[];
    };

/** The longest part of a message that is shown. */
const shownCharacters = 400;

function toShort(line: string): string {
  return shortenText(line, shownCharacters);
}

/** The remaining items, in the order in which they are sent. */
export function renderPreview(found: PreviewedCompaction): string {
  const [tokensBefore, tokensAfter] = [groupDigits(found.tokensBefore), groupDigits(found.tokensAfter)];
  if (found.type === "too_little")
    return `Not worth compacting: at least about ${tokensAfter} of about ${tokensBefore} tokens would remain.`;
  const { initialMessages, userMessages, steps } = found.kept;
  const lines = [
    `About ${tokensBefore} tokens now, about ${tokensAfter} after compaction (estimates).`,
    `Kept word for word: ${userMessages.kept} of your ${countNouns(userMessages.all, "message")}, the last ${steps.kept} of ${countNouns(steps.all, "step")}:`,
    "",
    `(${countNouns(initialMessages, "initial message")})`,
    ...found.before.slice(initialMessages).flatMap(renderItem).map(toShort),
    "(the summary)",
    ...found.after.flatMap(renderItem).map(toShort),
  ];
  return lines.map((line) => showHidden(line)).join("\n");
}
