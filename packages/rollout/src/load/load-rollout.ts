import { readFile } from "node:fs/promises";
import type { JournalEntry } from "@unroll/protocol";
import { parseLine, type ParsedLine } from "../line/parse-line.ts";
import { ThreadStoreError } from "../thread-store-error.ts";
import { type RepairedEntries, repairEntries } from "./repair-entries.ts";

export interface LoadedRollout extends RepairedEntries {
  /** Up to where the file is whole: what is behind it was cut off in the middle. */
  readonly length: number;
}

const newline = 0x0a;

/**
 * Reads a file of ours or of the Codex CLI in one pass. A last line without its end is dropped; a line that cannot be
 * read is passed over and told. Throws `ThreadStoreError` where the file is no thread.
 */
export async function loadRollout(path: string, threadId: string): Promise<LoadedRollout> {
  const file = await readFile(path);
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.length);
  const found: JournalEntry[] = [];
  const faults: string[] = [];
  let length = 0;
  for (let number = 1; length < bytes.length; number++) {
    const end = bytes.indexOf(newline, length);
    if (end === -1) {
      faults.push(`The last line was cut off and is dropped (line ${number}).`);
      break;
    }
    const parsed: ParsedLine = end === length ? { type: "skipped" } : parseLine(bytes.subarray(length, end));
    if (parsed.type === "entry") found.push(parsed.entry);
    if (parsed.type === "unreadable") faults.push(`A line cannot be read and is passed over (line ${number}).`);
    length = end + 1;
  }
  if (found[0]?.type !== "thread.opened") {
    throw new ThreadStoreError("thread_unreadable", `${path} is no thread: it does not begin with its session_meta.`);
  }
  const repaired = repairEntries(joinHeads(found, threadId));
  return { ...repaired, repairs: [...faults, ...repaired.repairs], length };
}

/** One opening, with the head that was told last: a thread of another program gets its own later. */
function joinHeads(found: readonly JournalEntry[], threadId: string): readonly JournalEntry[] {
  const openings = found.filter((entry) => entry.type === "thread.opened");
  const last = openings.findLast(({ head }) => head !== null) ?? openings[0];
  const others = found.filter(({ type }) => type !== "thread.opened");
  return last === undefined ? others : [{ ...last, threadId }, ...others];
}
