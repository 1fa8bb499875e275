import type { TerminalCommand } from "../terminal-command.ts";

export const cacheCommand: TerminalCommand = {
  name: "cache",
  description: "what the provider's cache held, request by request, and why not all",
  argument: null,
  timing: "always",
  async run({ conversation, page }) {
    const { renderCacheTable } = await import("@unroll/report");
    const { accountThread } = await import("@unroll/accounting");
    const { priceOf } = await import("../../text/price-of.ts");
    const account = accountThread(await conversation.entries(), priceOf);
    page({ title: "Cache", text: [...renderCacheTable(account)].join("\n"), kind: "text" });
  },
};
