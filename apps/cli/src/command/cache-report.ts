import { accountThread } from "@unroll/accounting";
import type { ProcessIo } from "@unroll/program";
import { listCacheFacts, renderCachePage, renderCacheTable } from "@unroll/report";
import { escapeHidden } from "@unroll/text";
import { writePage } from "../page/write-page.ts";
import { findThreadId } from "../page/find-thread-id.ts";
import { openPrices } from "../page/open-prices.ts";
import { runThreadsCommand } from "./run-threads-command.ts";

interface ReportOptions {
  /** Its id, or `last`. */
  readonly thread: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** Returns the exit code: 2 where there is no such thread. */
export function reportCache({ thread, html, json }: ReportOptions, io: ProcessIo): Promise<number> {
  return runThreadsCommand(
    io,
    async function* ({ store }) {
      const { threadId, entries } = await store.load(await findThreadId(store, thread, io.cwd));
      const account = accountThread(entries, await openPrices(io));
      if (html !== undefined) {
        const path = await writePage(renderCachePage(threadId, account), { name: html, cwd: io.cwd });
        io.stderr.stream.write(`written: ${path}\n`);
      }
      if (json) yield* listCacheFacts(threadId, account).map((facts) => escapeHidden(JSON.stringify(facts)));
      else yield* [`thread ${threadId}`, "", ...renderCacheTable(account)];
    },
    { json: json ?? false },
  );
}
