import { appendPlainFile, readPlainFile } from "@unroll/files";
import { replaceFile } from "../file/draft-beside.ts";
import { type IndexEntry, parseIndex } from "./parse-index.ts";

/**
 * Summaries of thread files from earlier reads, so that a list does not read every file again. It only saves time: it
 * may be removed, and if it cannot be read or written, the files are read.
 */
export interface ThreadIndex {
  find(threadId: string): IndexEntry | null;
  put(entry: IndexEntry): void;
  /** Writes down what was put. Never rejects. */
  save(): Promise<void>;
}

const version = 7;
/** How many more lines than threads the index may have before it is rewritten. */
const mostStale = 1000;

export async function openThreadIndex(path: string): Promise<ThreadIndex> {
  const text = await readPlainFile(path).catch(() => "");
  const entries = parseIndex(text, version);
  const lines = text.split("\n").length;
  const added: IndexEntry[] = [];

  async function write(): Promise<void> {
    if (lines + added.length < 2 * entries.size + mostStale) {
      // in one write: another process adds too
      await appendPlainFile(path, added.map(toLine).join(""));
      return;
    }
    await replaceFile(path, [...entries.values()].map(toLine).join(""));
  }

  return {
    find: (threadId) => entries.get(threadId) ?? null,
    put(entry) {
      entries.set(entry.threadId, entry);
      added.push(entry);
    },
    async save() {
      if (added.length > 0) await write().catch(() => {});
      added.length = 0;
    },
  };
}

function toLine(entry: IndexEntry): string {
  return `${JSON.stringify({ v: version, ...entry })}\n`;
}
