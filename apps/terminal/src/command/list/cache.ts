import type { TerminalCommand } from "../terminal-command.ts";

export const cacheCommand: TerminalCommand = {
  name: "cache",
  description: "show each request's cached tokens, and why some were missed",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, lines }) {
    const { renderCache } = await import("@unroll/cells");
    const { describeAccount } = await import("@unroll/report");
    const { reportCache } = await import("@unroll/use-cases/cache");
    const account = reportCache(await thread.entries(), thread.config);
    const rows = account.rows.map((row) => ({
      ...row,
      miss: row.miss === null ? null : { cause: row.miss.type.replaceAll("_", " ") },
    }));
    lines(() => renderCache(rows, describeAccount(account)));
  },
};
