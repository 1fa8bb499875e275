import type { TerminalCommand } from "../terminal-command.ts";

export const compactCommand: TerminalCommand = {
  name: "compact",
  description: "shorten the conversation: a summary takes the place of what is old, and dwells on FOCUS",
  argument: "[FOCUS|preview]",
  timing: "between_turns",
  async run({ conversation, page, runWork }, argument) {
    if (argument === "preview") {
      const { renderPreview } = await import("@unroll/report");
      const text = renderPreview(await conversation.thread.previewCompaction());
      return page({ title: "What would stay", text, kind: "text" });
    }
    const focus = argument === "" ? {} : { focus: argument };
    await runWork((signal) => conversation.thread.compact({ ...focus, signal }));
  },
};
