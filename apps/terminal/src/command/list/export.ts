import { resolve } from "node:path";
import type { TerminalCommand } from "../terminal-command.ts";

export const exportCommand: TerminalCommand = {
  name: "export",
  description: "save the thread as a file (.md or .html)",
  argument: "[FILE]",
  choices: ({ thread }) => [
    { value: `unroll-${thread.id}.md`, description: "as Markdown" },
    { value: `unroll-${thread.id}.html`, description: "as a page for a browser" },
  ],
  timing: "always",
  async run({ thread, host, tell }, argument) {
    const { explainUnwritten, renderThreadMarkdown, renderThreadPage } = await import("@unroll/report");
    const { exportThread, writeExport } = await import("@unroll/use-cases/export");
    const { toPriceOf } = await import("@unroll/use-cases/cache");
    const { config } = thread;
    const document = exportThread(await thread.entries(), { config, host, priceOf: toPriceOf(config) });
    if (document.threadId === "") return tell("There is nothing to export yet.");
    const path = resolve(config.cwd, argument === "" ? `unroll-${thread.id}.md` : argument);
    const text = path.endsWith(".html") ? renderThreadPage(document) : renderThreadMarkdown(document);
    const written = await writeExport(text, { path, replaces: false, newId: host.newId });
    tell(written.type === "written" ? `Saved: ${path}` : explainUnwritten(written));
  },
};
