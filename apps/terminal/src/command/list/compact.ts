import type { TerminalCommand } from "../terminal-command.ts";
import { undoCompactCommand } from "./undo-compact.ts";

export const compactCommand: TerminalCommand = {
  name: "compact",
  description: "shorten the conversation: a summary takes the place of what is old, and dwells on FOCUS",
  argument: "[FOCUS|preview|undo]",
  timing: "between_turns",
  async run(context, argument) {
    const { conversation, page, runWork, tell } = context;
    if (argument === "preview") {
      const { renderPreview } = await import("@unroll/report");
      const text = renderPreview(await conversation.thread.previewCompaction());
      return page({ title: "What would stay", text, kind: "text" });
    }
    if (argument === "undo") return undoCompactCommand.run(context, "");
    if (/^(?:prev|und)\w*$/i.test(argument))
      return tell(`/compact ${argument} is neither preview nor undo; to dwell on that word: /compact the ${argument}`);
    const focus = argument === "" ? {} : { focus: argument };
    await runWork((signal) => conversation.thread.compact({ ...focus, signal }));
  },
};
