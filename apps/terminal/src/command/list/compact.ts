import { groupDigits } from "@unroll/text";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";
import { undoCompactCommand } from "./undo-compact.ts";

export const compactCommand: TerminalCommand = {
  name: "compact",
  description: "replace old messages with a summary that focuses on FOCUS",
  argument: "[FOCUS|preview|undo]",
  choices: () => [
    { value: "preview", description: "show the thread as it would be after compaction" },
    { value: "undo", description: undoCompactCommand.description },
  ],
  timing: "between_turns",
  async run(context, argument) {
    const { thread, page, runTurn, tell } = context;
    if (argument === "preview") {
      const { renderPreview } = await import("@unroll/report");
      return page({ title: "After compaction", text: renderPreview(await thread.previewCompaction()), kind: "text" });
    }
    if (argument === "undo") return undoCompactCommand.run(context, "");
    if (/^(?:prev|und)\w*$/i.test(argument))
      return tell(`Did you mean /compact preview or /compact undo? To focus on that word: /compact the ${argument}`);
    if (!(await confirmCompacting(context))) return tell("Not compacted.");
    await runTurn((current) => current.compact(argument === "" ? {} : { focus: argument }));
  },
};

/** A compaction that would save too little is not run, so it is not asked about. */
async function confirmCompacting({ thread, confirm }: CommandContext): Promise<boolean> {
  const found = await thread.previewCompaction();
  if (found.type === "too_little") return true;
  const [before, after] = [groupDigits(found.tokensBefore), groupDigits(found.tokensAfter)];
  const facts = [`About ${before} tokens become about ${after}, and the next request sends most of those uncached.`];
  return confirm({ title: "Compact this thread?", facts });
}
