import { open } from "node:fs/promises";
import { forEach } from "@unroll/flow";
import type { JournalEntry } from "@unroll/protocol";
import { type FileLine, type ReadableFile, readLines } from "../file/read-lines.ts";
import { createLineTypeTest } from "../line/has-line-type.ts";
import { parseLine } from "../line/parse-line.ts";
import { ThreadStoreError } from "../thread-store-error.ts";
import { findLiveStart } from "./find-live-start.ts";
import { type RepairedEntries, repairEntries } from "./repair-entries.ts";
import { toSendable } from "./to-sendable.ts";

export interface LoadedRollout extends RepairedEntries {
  /** Up to where the file is whole: what is behind it was cut off in the middle. */
  readonly length: number;
}

/** `live`: without the items that are not sent any more and cannot be returned to. */
type LoadScope = "all" | "live";

interface LoadOptions {
  readonly threadId: string;
  readonly scope: LoadScope;
}

/**
 * Reads a file of ours or of the Codex CLI. A last line without its end is dropped; a line that cannot be
 * read is passed over and told. Throws `ThreadStoreError` where the file is no thread.
 */
export async function loadRollout(path: string, options: LoadOptions): Promise<LoadedRollout> {
  await using file = await open(path, "r");
  return await parseRollout(file, { ...options, path });
}

/** `path`: what a person is told that it is. Else as `loadRollout`. */
export async function parseRollout(
  file: ReadableFile,
  { path, threadId, scope }: LoadOptions & { readonly path: string },
): Promise<LoadedRollout> {
  const { found, faults, length } = await readEntries(file, scope === "all" ? 0 : await findLiveStart(file));
  if (found[0]?.type !== "thread.opened") {
    throw new ThreadStoreError("thread_unreadable", `${path} is no thread: it does not begin with its session_meta.`);
  }
  const repaired = repairEntries(placeHeads(found, threadId));
  return { ...repaired, repairs: [...faults, ...repaired.repairs], length };
}

interface ReadEntries {
  readonly found: readonly JournalEntry[];
  readonly faults: readonly string[];
  readonly length: number;
}

/** What is not needed to go on, as far as the type says. */
const isOfEpoch = createLineTypeTest("response_item", "compacted");

async function readEntries(file: ReadableFile, liveStart: number): Promise<ReadEntries> {
  const found: JournalEntry[] = [];
  const faults: string[] = [];
  const lines = readLines(file, { wants: (bytes, at, start) => start >= liveStart || !isOfEpoch(bytes, at) });
  const length = await forEach(lines, (some) => {
    for (const line of some) {
      const read = readLine(line);
      if (typeof read === "string") faults.push(read);
      else if (read !== null) found.push(read);
    }
  });
  return { found, faults, length };
}

/** An entry, or a sentence on what is wrong with the line, or null where it says nothing that we need. */
function readLine({ bytes, number, isWhole }: FileLine): JournalEntry | string | null {
  if (!isWhole) return `The last line was cut off and is dropped (line ${number}).`;
  if (bytes.length === 0) return null;
  const parsed = parseLine(bytes.slice()); // the entry keeps its bytes
  switch (parsed.type) {
    case "entry":
      return toSendable(parsed.entry);
    case "skipped":
      return null;
    case "unreadable":
      return `A line cannot be read and is passed over (line ${number}).`;
  }
}

/**
 * Each head where it was told, for the requests behind it began with it; the first one in front, since a thread of another
 * program gets its own later. That may hold openings of the threads that it came from, too.
 */
function placeHeads(found: readonly JournalEntry[], threadId: string): readonly JournalEntry[] {
  const first = found.find((entry) => entry.type === "thread.opened" && entry.head !== null) ?? found[0];
  const rest = found.filter((entry) => entry !== first && (entry.type !== "thread.opened" || entry.head !== null));
  const placed = first === undefined ? rest : [first, ...rest];
  return placed.map((entry) => (entry.type === "thread.opened" ? { ...entry, threadId } : entry));
}
