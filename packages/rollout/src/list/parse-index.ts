import type { ThreadSummary } from "@unroll/protocol";

/** The summary of a file, from an earlier read. */
export interface IndexEntry {
  readonly threadId: string;
  /** Never changes. */
  readonly cwd: string | null;
  /** Null: only the folder was looked at. */
  readonly read: ReadFacts | null;
}

/** True of the file as long as it has this size and was written then. */
interface ReadFacts {
  readonly size: number;
  readonly usedAt: number;
  /** Null: the file is not a thread. */
  readonly summary: ThreadSummary | null;
}

/** Of another version, or torn: not there. The last line of a thread counts. */
export function parseIndex(text: string, version: number): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  for (const line of text.split("\n")) {
    const entry = parseEntry(line, version);
    if (entry !== null) entries.set(entry.threadId, entry);
  }
  return entries;
}

function parseEntry(line: string, version: number): IndexEntry | null {
  if (!line.startsWith(`{"v":${version},"threadId":"`)) return null;
  try {
    return JSON.parse(line) as IndexEntry; // a whole line of this version is one that we wrote
  } catch {
    return null;
  }
}
