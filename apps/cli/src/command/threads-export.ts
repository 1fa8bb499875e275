import { buffer } from "node:stream/consumers";
import { findThreadId, loadProgramConfig, ProgramError } from "@unroll/program";
import type { JournalEntry } from "@unroll/protocol";
import {
  listCacheFacts,
  renderCachePage,
  renderAgentsTable,
  renderCacheTable,
  renderThreadMarkdown,
  renderThreadPage,
} from "@unroll/report";
import { exportThread, exportTrajectory } from "@unroll/use-cases/export";
import { reportSavedTree, toPriceOf } from "@unroll/use-cases/cache";
import type { CommandRun } from "../run-command.ts";
import { loadThread, openStore, writePage } from "./saved-thread.ts";

/** The flags of `unroll threads export`. */
export interface ExportFlags {
  readonly atif?: string;
  readonly html?: string;
  readonly jsonl?: string;
  /** True: to stdout. */
  readonly markdown?: string | true;
}

/** The flags of `unroll cache report`. */
export interface ReportFlags {
  readonly html?: string;
  readonly json?: boolean;
}

/** Returns the exit code. Throws if there is no such thread, or if the flags name no form. */
export async function exportSaved(id: string, flags: ExportFlags, run: CommandRun): Promise<number> {
  const { atif, html, jsonl, markdown } = flags;
  if (Object.values(flags).every((flag) => flag === undefined)) {
    throw new ProgramError(
      "usage",
      "Choose a format: --html FILE, --markdown [FILE], --atif FILE or --jsonl FILE. You may give several.",
    );
  }
  if (jsonl !== undefined) await writePage(await readWhole(id, run), jsonl, run);
  if (atif === undefined && html === undefined && markdown === undefined) return 0;
  const { host, print } = run;
  const config = await loadProgramConfig({}, host);
  const { entries } = await loadThread(id, run);
  const options = { config, host, priceOf: toPriceOf(config) };
  if (atif !== undefined)
    await writePage(`${JSON.stringify(exportTrajectory(entries, options), null, 2)}\n`, atif, run);
  if (html === undefined && markdown === undefined) return 0;
  const store = await openStore(run);
  const load = async (threadId: string): Promise<readonly JournalEntry[]> => (await store.load(threadId)).entries;
  const document = await exportThread(entries, { ...options, load });
  if (html !== undefined) await writePage(renderThreadPage(document), html, run);
  if (markdown === undefined) return 0;
  const text = renderThreadMarkdown(document);
  if (markdown === true) await print(text.trimEnd());
  else await writePage(text, markdown, run);
  return 0;
}

async function readWhole(name: string, run: CommandRun): Promise<Uint8Array> {
  const store = await openStore(run);
  return buffer(store.upkeep.export(await findThreadId(store, { name, cwd: run.io.cwd, all: null })));
}

/** Returns the exit code. Throws if there is no such thread. */
export async function reportCache(id: string, { html, json }: ReportFlags, run: CommandRun): Promise<number> {
  const { host, columns, printFolded, printJson } = run;
  const { threadId, entries } = await loadThread(id, run);
  const store = await openStore(run);
  const { account, tree } = await reportSavedTree(entries, host, store);
  if (html !== undefined) await writePage(renderCachePage(threadId, account, tree), html, run);
  if (json) for (const facts of listCacheFacts(threadId, account, tree)) await printJson(facts);
  else {
    const agents = renderAgentsTable(tree, { width: columns, hasCache: true });
    const lines = [...renderCacheTable(account, columns), ...(agents.length === 0 ? [] : ["", ...agents])];
    for (const line of [`thread ${threadId}`, "", ...lines]) await printFolded(line);
  }
  return 0;
}
