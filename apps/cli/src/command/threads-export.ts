import { listNamedSecrets } from "@unroll/config";
import { createHostEnvironment, loadProgramConfig, type ProcessIo, ProgramError } from "@unroll/program";
import { createThreadDocument, renderThreadMarkdown, renderThreadPage } from "@unroll/report";
import { createSecretMask } from "@unroll/text";
import { maskStrings } from "@unroll/tools";
import { findThreadId } from "../page/find-thread-id.ts";
import { openPrices } from "../page/open-prices.ts";
import { writePage } from "../page/write-page.ts";
import { runThreadsCommand } from "./run-threads-command.ts";

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
export function exportThread({ id, html, markdown }: ExportOptions, io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* ({ store }) {
    if (html === undefined && markdown === undefined) {
      throw new ProgramError("usage", "Say as what: --html FILE, --markdown [FILE], or both.");
    }
    const mask = await openMask(io);
    const { entries } = await store.load(await findThreadId(store, id, io.cwd));
    const document = maskStrings(createThreadDocument(entries, await openPrices(io)), mask);
    if (html !== undefined) await write(renderThreadPage(document), html);
    if (markdown === undefined) return;
    const text = renderThreadMarkdown(document);
    if (markdown === true) yield text.trimEnd();
    else await write(text, markdown);
  });

  async function write(text: string, name: string): Promise<void> {
    io.stderr.stream.write(`written: ${await writePage(text, { name, cwd: io.cwd })}\n`);
  }
}

/** Of every credential that unroll knows here, whether or not the config has models see them: this is to be shared. */
async function openMask(io: ProcessIo): Promise<(text: string) => string> {
  const host = createHostEnvironment(io);
  const config = await loadProgramConfig({}, host);
  return createSecretMask(listNamedSecrets(config, host.env)).mask;
}
