import { accountThread } from "@unroll/accounting";
import { createHost, findThreadId, type ProcessIo } from "@unroll/program";
import { listCacheFacts, renderCachePage, renderCacheTable } from "@unroll/report";
import { escapeHidden } from "@unroll/text";
import { writePage } from "./write-page.ts";
import { readPrices } from "@unroll/use-cases/prices";
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
      const { threadId, entries } = await store.load(
        await findThreadId(store, { name: thread, cwd: io.cwd, all: false }),
      );
      const account = accountThread(entries, await readPrices(createHost(io)));
      if (html !== undefined) await writePage(renderCachePage(threadId, account), html, io);
      if (json) yield* listCacheFacts(threadId, account).map((facts) => escapeHidden(JSON.stringify(facts)));
      else yield* [`thread ${threadId}`, "", ...renderCacheTable(account)];
    },
    { json: json ?? false },
  );
}
