import { resolve } from "node:path";
import type { JournalEntry } from "@unroll/protocol";
import { shortenHome } from "../../text/shorten-home.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const exportCommand: TerminalCommand = {
  name: "export",
  description: "save the thread as a file (.md or .html)",
  argument: "[FILE]",
  choices: ({ thread }) => [
    { value: `unroll-${thread.id}.md`, description: "as Markdown" },
    { value: `unroll-${thread.id}.html`, description: "as a page for a browser" },
  ],
  timing: "always",
  async run(context, argument) {
    const { thread, host, tell } = context;
    const path = resolve(thread.config.cwd, argument === "" ? `unroll-${thread.id}.md` : argument);
    const text = await exportHere(context, path.endsWith(".html") ? "page" : "markdown");
    if (text === null) return tell("There is nothing to export yet.");
    const { explainUnwritten } = await import("@unroll/report");
    const { writeExport } = await import("@unroll/use-cases/export");
    const written = await writeExport(text, { path, replaces: false, newId: host.newId });
    tell(written.type === "written" ? `Saved: ${shortenHome(path, host.homeDirectory)}` : explainUnwritten(written));
  },
};

/** The current thread as a text, with known credentials masked; null: it has nothing yet. */
export async function exportHere(
  { thread, threads, host }: Pick<CommandContext, "thread" | "threads" | "host">,
  form: "markdown" | "page",
): Promise<string | null> {
  const { renderThreadMarkdown, renderThreadPage } = await import("@unroll/report");
  const { exportThread } = await import("@unroll/use-cases/export");
  const { toPriceOf } = await import("@unroll/use-cases/cache");
  const { config } = thread;
  const load = async (id: string): Promise<readonly JournalEntry[]> => {
    const store = await threads.host.openStore();
    return (await store.load(id)).entries;
  };
  const document = await exportThread(await thread.entries(), { config, host, priceOf: toPriceOf(config), load });
  if (document.threadId === "") return null;
  return form === "page" ? renderThreadPage(document) : renderThreadMarkdown(document);
}
