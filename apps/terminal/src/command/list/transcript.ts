import type { TerminalCommand } from "../terminal-command.ts";

export const transcriptCommand: TerminalCommand = {
  name: "transcript",
  description: "the whole conversation, in full (^T)",
  argument: null,
  timing: "always",
  async run({ conversation, page, tell }) {
    const { createThreadDocument, renderThreadMarkdown } = await import("@unroll/report");
    const { priceOf } = await import("../../text/price-of.ts");
    const document = createThreadDocument(await conversation.entries(), priceOf);
    if (document.threadId === "") return tell("Nothing was said yet.");
    page({ title: "Transcript", text: renderThreadMarkdown(document), kind: "markdown" });
  },
};
