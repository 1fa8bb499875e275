import { type FileHandle, link, open, rename, stat, utimes } from "node:fs/promises";
import { openPlainFile } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import { type JournalEntry, type SentItem } from "@unroll/protocol";
import { systemErrorCode } from "@unroll/text";
import { openDraftBeside } from "../file/draft-beside.ts";
import { type FileLine, readLines } from "../file/read-lines.ts";
import { createEntryEncoder, type EntryEncoder, type Numbering } from "../line/encode-entry.ts";
import { createOrdinalReader, readOrdinal } from "../line/line-ordinals.ts";
import { parseLine, withoutHead } from "../line/parse-line.ts";
import { ThreadStoreError } from "../thread-store-error.ts";
import { createMender, type Mender, toInterruptedEntry } from "../load/repair-entries.ts";

/** The result of a repair of a thread's file. */
export interface MendedFile {
  /** Where the file is now that was there before; null: nothing was wrong with it, and nothing was written. */
  readonly aside: string | null;
  /** A sentence each. */
  readonly repairs: readonly string[];
}

export interface FileToMend {
  readonly path: string;
  readonly threadId: string;
  /** When the thread was created, in ms since 1970. */
  readonly createdAt: number;
  readonly clock: Pick<Clock, "now">;
}

/** Part of the name that a file gets when a repair replaces it. */
export const asideMark = ".before-repair-";
const newline = Buffer.from("\n");

/**
 * Rewrites a thread's file without unreadable lines and without entries that servers refuse. Valid lines stay
 * unchanged, even those that we do not know. The new file replaces the old one in one step, and the old one stays
 * beside it. Throws `ThreadStoreError` `thread_unreadable` if no line is left.
 */
export async function mendFile(file: FileToMend): Promise<MendedFile> {
  await using draft = await openDraftBeside(file.path);
  const repairs = await writeMended(file, draft.path);
  if ((await stat(draft.path)).size === 0) {
    const message = `Nothing in ${file.path} can be read, so it cannot be repaired and is unchanged. To delete it: unroll threads delete ${file.threadId}.`;
    throw new ThreadStoreError("thread_unreadable", message);
  }
  if (repairs.length === 0) return { aside: null, repairs };
  return { aside: await putInPlace(file, draft.path), repairs };
}

async function writeMended(file: FileToMend, draft: string): Promise<readonly string[]> {
  await using before = await openPlainFile(file.path, "read");
  await using after = await open(draft, "wx", 0o600);
  const mending = createMending(file);
  for await (const lines of readLines(before))
    await writeAll(
      after,
      lines.flatMap((line) => mending.mend(line)),
    );
  await writeAll(after, mending.end());
  await after.datasync();
  const { atime, mtime } = await before.stat();
  await utimes(draft, atime, mtime); // a repair does not count as a use
  return mending.repairs();
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  if (parts.length > 0) await file.appendFile(Buffer.concat(parts));
}

async function putInPlace({ path, clock }: FileToMend, draft: string): Promise<string> {
  const aside = `${path}${asideMark}${new Date(clock.now()).toISOString().replaceAll(":", "-")}`;
  try {
    await link(path, aside);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") throw error;
    await rename(path, aside); // a file system without links
  }
  await rename(draft, path);
  return aside;
}

interface Mending {
  mend(line: FileLine): readonly Uint8Array[];
  /** Lines to add after the last one. */
  end(): readonly Uint8Array[];
  repairs(): readonly string[];
}

function createMending({ threadId, createdAt, clock }: FileToMend): Mending {
  const mender = createMender({ readsArguments: true });
  const ordinals = createOrdinalReader();
  /** For the lines that replace the one that was read. */
  const numbering: Numbering = { threadId, next: null };
  const encoder = createEntryEncoder({ meta: null, clock, before: [], numbering });
  const repairs: string[] = [];
  let isOpened = false;
  let isInTurn = false;

  function opening(): readonly Uint8Array[] {
    isOpened = true;
    repairs.push("The first line was no session_meta: one was made, without what it knew.");
    const timestamp = new Date(createdAt).toISOString();
    const payload = { id: threadId, timestamp, cwd: null, originator: "unroll", cli_version: "0.0.0", source: "cli" };
    return [Buffer.from(`${JSON.stringify({ timestamp, type: "session_meta", payload })}\n`)];
  }

  function mendLine({ bytes, number, isWhole }: FileLine): readonly Uint8Array[] {
    const raw = [bytes.slice(), newline];
    const parsed = parseLine(raw[0] ?? bytes);
    if (!isWhole || parsed.type === "unreadable") {
      const what = isWhole ? "A line could not be read" : "The last line was cut off";
      repairs.push(`${what}: it was left out (line ${number}).`);
      return [];
    }
    if (parsed.type === "damaged_head") {
      repairs.push(
        `The request head was damaged: it was removed, and the next request starts with a new one (line ${number}).`,
      );
      return [withoutHead(bytes)];
    }
    if (parsed.type === "summary") mender.mend(emptyEpoch);
    if (parsed.type === "completed") isInTurn = false;
    if (parsed.type === "turn") isInTurn = true;
    if (parsed.type !== "entry") return raw;
    const { entry } = parsed;
    if (entry.type === "turn.ended") isInTurn = false;
    return toMended(entry, { mender, encoder }) ?? raw;
  }

  return {
    mend(line) {
      if (line.isWhole && line.bytes.length === 0) return [];
      ordinals.read(line);
      numbering.next = readOrdinal(line.bytes);
      const mended = mendLine(line);
      if (isOpened || mended.length === 0) return mended;
      const isOpening =
        ["entry", "damaged_head"].includes(parseLine(line.bytes).type) &&
        Buffer.from(line.bytes).includes('"session_meta"');
      if (!isOpening) return [...opening(), ...mended];
      isOpened = true;
      return mended;
    },
    end() {
      if (isInTurn) return []; // the resuming process ends the turn and reports it to the model
      const open = mender.openCalls();
      numbering.next = ordinals.next;
      repairs.push(...open.map(({ id }) => `A call had no output: one was added that says so (call ${id}).`));
      return open.map((call) => encoder.encode(toInterruptedEntry(call)));
    },
    repairs: () => [...repairs, ...mender.listRepairs()],
  };
}

/** After another program's summary, the input consists of messages, so no earlier call still needs an output. */
const emptyEpoch: JournalEntry = { type: "epoch", cause: "", isFinal: false, items: [] };

interface Menders {
  readonly mender: Mender;
  readonly encoder: EntryEncoder;
}

/** Null: the line may stay as it is. */
function toMended(entry: JournalEntry, { mender, encoder }: Menders): readonly Uint8Array[] | null {
  const mended = mender.mend(entry);
  const [before, after] = [listItems([entry]), listItems(mended)];
  const isSame = before.length === after.length && before.every((item, index) => item === after[index]);
  return isSame ? null : mended.map((each) => encoder.encode(each));
}

function listItems(entries: readonly JournalEntry[]): readonly SentItem[] {
  return entries.flatMap((entry) => {
    if (entry.type === "item") return [entry.item];
    return entry.type === "epoch" ? entry.items : [];
  });
}
