import type { TerminalCommand } from "../terminal-command.ts";

export const contextCommand: TerminalCommand = {
  name: "context",
  description: "what the next request is made of, in tokens",
  argument: null,
  timing: "always",
  async run({ conversation, view, page }) {
    const { renderContext } = await import("../../text/render-context.ts");
    const window = conversation.config.modelFamily.contextWindow;
    const text = renderContext(await conversation.entries(), { window, counted: view.usage.request });
    page({ title: "Context", text, kind: "text" });
  },
};
