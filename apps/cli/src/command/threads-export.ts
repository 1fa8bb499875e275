import { createHost, findThreadId, loadProgramConfig, type ProcessIo, ProgramError } from "@unroll/program";
import { renderThreadMarkdown, renderThreadPage } from "@unroll/report";
import { exportThread } from "@unroll/use-cases/export";
import { toPriceOf } from "@unroll/use-cases/prices";
import { runThreadsCommand } from "./run-threads-command.ts";
import { writePage } from "./write-page.ts";

export interface ExportFlags {
  readonly html?: string;
  /** True: to stdout. */
  readonly markdown?: string | true;
}

interface ExportOptions extends ExportFlags {
  /** Its id, or `last`. */
  readonly id: string;
}

/** Returns the exit code: 2 where there is no such thread, or nothing was asked for. */
export function exportStored({ id, html, markdown }: ExportOptions, io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* ({ store }) {
    if (html === undefined && markdown === undefined) {
      throw new ProgramError("usage", "Say as what: --html FILE, --markdown [FILE], or both.");
    }
    const host = createHost(io);
    const config = await loadProgramConfig({}, host);
    const { entries } = await store.load(await findThreadId(store, { name: id, cwd: io.cwd, all: false }));
    const document = exportThread(entries, { config, host, priceOf: toPriceOf(config) });
    if (html !== undefined) await writePage(renderThreadPage(document), html, io);
    if (markdown === undefined) return;
    const text = renderThreadMarkdown(document);
    if (markdown === true) yield text.trimEnd();
    else await writePage(text, markdown, io);
  });
}
