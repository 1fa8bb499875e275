import type { TerminalCommand } from "../terminal-command.ts";

export const contextCommand: TerminalCommand = {
  name: "context",
  description: "what the next request is made of, in tokens",
  argument: null,
  timing: "always",
  async run({ conversation, lines }) {
    const { renderContext } = await import("@unroll/cells");
    const { measureContext } = await import("../../text/measure-context.ts");
    const groups = measureContext(await conversation.entries());
    const window = conversation.config.modelFamily.contextWindow;
    lines((columns) => renderContext({ window, groups }, columns));
  },
};
