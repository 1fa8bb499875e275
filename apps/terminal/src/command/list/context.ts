import type { TerminalCommand } from "../terminal-command.ts";

export const contextCommand: TerminalCommand = {
  name: "context",
  description: "show the parts of the next request, in tokens",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, lines, tell }) {
    const { renderContext } = await import("@unroll/cells");
    const { measureContext } = await import("../../text/measure-context.ts");
    const groups = measureContext(await thread.entries());
    if (groups.length === 0) return tell("No request was sent yet. The first one adds the instructions and tools.");
    const window = thread.config.modelFamily.contextWindow;
    lines((columns) => renderContext({ window, groups }, columns));
  },
};
