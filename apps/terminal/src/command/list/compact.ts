import type { TerminalCommand } from "../terminal-command.ts";
import { undoCompactCommand } from "./undo-compact.ts";

export const compactCommand: TerminalCommand = {
  name: "compact",
  description: "replace old messages with a summary that focuses on FOCUS",
  argument: "[FOCUS|preview|undo]",
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
    await runTurn((current) => current.compact(argument === "" ? {} : { focus: argument }));
  },
};
