import type { TerminalCommand } from "../terminal-command.ts";

export const contextCommand: TerminalCommand = {
  name: "context",
  description: "what the next request is made of, in tokens",
  argument: null,
  timing: "always",
  async run({ conversation, lines, tell }) {
    const { renderContext } = await import("@unroll/cells");
    const { measureContext } = await import("../../text/measure-context.ts");
    const groups = measureContext(await conversation.entries());
    if (groups.length === 0)
      return tell("Nothing was sent yet: the first message brings instructions and tools with it.");
    const window = conversation.thread.config.modelFamily.contextWindow;
    lines((columns) => renderContext({ window, groups }, columns));
  },
};
