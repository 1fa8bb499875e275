import type { Clock } from "@unroll/flow";
import { type JournalEntry, type SentItem } from "@unroll/protocol";
import { type FileLine, type ReadableFile, readLines } from "../file/read-lines.ts";
import { createEntryEncoder, type EntryEncoder, type Numbering } from "../line/encode-entry.ts";
import { createOrdinalReader, readOrdinal } from "../line/line-ordinals.ts";
import { parseLine, parseShownEntry, withoutHead } from "../line/parse-line.ts";
import { createSentTexts, type SentTexts } from "../line/shown-ranges.ts";
import { createMender, type Mender, toInterruptedEntry } from "../load/repair-entries.ts";
import { ThreadStoreError } from "../thread-store-error.ts";

export interface ThreadToMend {
  readonly threadId: string;
  /** When the thread was created, in ms since 1970. */
  readonly createdAt: number;
  readonly clock: Pick<Clock, "now">;
}

export interface MendedLines {
  /** A sentence each; empty: nothing was wrong. */
  readonly repairs: readonly string[];
  /** How many bytes were written. */
  readonly size: number;
}

const newline = Buffer.from("\n");

/**
 * Writes a thread without unreadable lines and without entries that servers refuse. Valid lines stay unchanged, even those
 * that we do not know.
 */
export async function mendLines(
  before: ReadableFile,
  thread: ThreadToMend,
  write: (bytes: Uint8Array, position: number) => Promise<void>,
): Promise<MendedLines> {
  const mending = createMending(thread);
  let size = 0;
  async function writeAll(parts: readonly Uint8Array[]): Promise<void> {
    if (parts.length === 0) return;
    const bytes = Buffer.concat(parts);
    await write(bytes, size);
    size += bytes.length;
  }
  for await (const lines of readLines(before)) await writeAll(lines.flatMap((line) => mending.mend(line)));
  await writeAll(mending.end());
  return { repairs: mending.repairs(), size };
}

/** Throws `ThreadStoreError` `thread_unreadable` if no line is left. */
export function requireLines({ size }: MendedLines, { place, threadId }: Record<"place" | "threadId", string>): void {
  if (size > 0) return;
  const message = `Nothing in ${place} can be read, so it cannot be repaired and is unchanged. To delete it: unroll threads delete ${threadId}.`;
  throw new ThreadStoreError("thread_unreadable", message);
}

interface Mending {
  mend(line: FileLine): readonly Uint8Array[];
  /** Lines to add after the last one. */
  end(): readonly Uint8Array[];
  repairs(): readonly string[];
}

function createMending({ threadId, createdAt, clock }: ThreadToMend): Mending {
  const mender = createMender({ readsArguments: true });
  const ordinals = createOrdinalReader();
  /** For the lines that replace the one that was read. */
  const numbering: Numbering = { threadId, next: null };
  const encoder = createEntryEncoder({ meta: null, clock, before: [], numbering });
  const texts = createSentTexts();
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
    if (parsed.type === "shown" && parseShownEntry(parsed.kind, texts.unpack(parsed.packed)) === null) {
      repairs.push(`A saved item could not be read: it was left out (line ${number}).`);
      return [];
    }
    if (parsed.type === "summary") mender.mend(emptyEpoch);
    if (parsed.type === "completed") isInTurn = false;
    if (parsed.type === "turn") isInTurn = true;
    if (parsed.type !== "entry") return raw;
    const { entry } = parsed;
    if (entry.type === "turn.ended") isInTurn = false;
    return toMended(entry, { mender, encoder, texts }) ?? raw;
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
      return open.flatMap((call) => encoder.encode(toInterruptedEntry(call)));
    },
    repairs: () => [...repairs, ...mender.listRepairs()],
  };
}

/** After another program's summary, the input consists of messages, so no earlier call still needs an output. */
const emptyEpoch: JournalEntry = { type: "epoch", cause: "", isFinal: false, items: [] };

interface Menders {
  readonly mender: Mender;
  readonly encoder: EntryEncoder;
  /** Later lines refer to them. */
  readonly texts: SentTexts;
}

/** Null: the line may stay as it is. */
function toMended(entry: JournalEntry, { mender, encoder, texts }: Menders): readonly Uint8Array[] | null {
  const mended = mender.mend(entry);
  for (const each of mended) if (each.type === "item") texts.read(each.item.item);
  const [before, after] = [listItems([entry]), listItems(mended)];
  const isSame = before.length === after.length && before.every((item, index) => item === after[index]);
  return isSame ? null : mended.flatMap((each) => encoder.encode(each));
}

function listItems(entries: readonly JournalEntry[]): readonly SentItem[] {
  return entries.flatMap((entry) => {
    if (entry.type === "item") return [entry.item];
    return entry.type === "epoch" ? entry.items : [];
  });
}
