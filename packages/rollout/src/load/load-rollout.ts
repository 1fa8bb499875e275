import { openPlainFile } from "@unroll/files";
import { forEach } from "@unroll/flow";
import { addTokenUsage, type JournalEntry, listLiveItems, type StoredThread } from "@unroll/protocol";
import { type FileLine, type ReadableFile, readLines } from "../file/read-lines.ts";
import { createForeignTurns } from "../foreign/codex/foreign-turns.ts";
import { createOtherUsage, type OtherUsage } from "../foreign/codex/other-usage.ts";
import type { ToldCall } from "../line/parse-told-call.ts";
import { rebuildEpoch } from "../foreign/codex/rebuild-epoch.ts";
import { toSendable } from "../foreign/codex/to-sendable.ts";
import { convertHistory, type ForeignHistory } from "../foreign/convert-history.ts";
import { giveAuthors } from "../foreign/give-author.ts";
import { createLastSaid } from "../line/last-said.ts";
import { createOrdinalReader } from "../line/line-ordinals.ts";
import { type LineFacts, parseFacts } from "../line/parse-facts.ts";
import { type EndedCall, type ParsedLine, parseLine, parseShownEntry } from "../line/parse-line.ts";
import { createLineTypeTest, readLineHead } from "../line/read-line-head.ts";
import { createSentTexts } from "../line/shown-ranges.ts";
import { findLiveStart } from "./find-live-start.ts";
import { type RepairedEntries, repairEntries } from "./repair-entries.ts";
import { ThreadStoreError } from "../thread-store-error.ts";

export interface LoadedRollout extends RepairedEntries {
  /** Up to where the file is whole: what is behind it was cut off in the middle. */
  readonly length: number;
  /** The ordinal of the line that comes next; null: the lines of this file have none. */
  readonly nextOrdinal: number | null;
  readonly facts: NonNullable<StoredThread["facts"]>;
}

/** `live`: without the items of epochs that are not sent any more and not compared with what is. */
type LoadScope = "all" | "live";

interface LoadOptions {
  readonly threadId: string;
  readonly scope: LoadScope;
}

interface ParseOptions extends LoadOptions {
  /** The name of the file for people. */
  readonly path: string;
  /** As of `LineOptions`. */
  readonly size?: number;
}

/**
 * Reads a file of ours or of the Codex CLI. A last line without its end is dropped; an unreadable line is skipped and
 * reported. Throws `ThreadStoreError` if the file is not a thread, or if a request head in it is damaged.
 */
export async function loadRollout(path: string, options: LoadOptions): Promise<LoadedRollout> {
  await using file = await openPlainFile(path, "read");
  const { size } = await file.stat();
  return await parseRollout(file, { ...options, path, size });
}

/** The same of a file that is open. */
export async function parseRollout(file: ReadableFile, options: ParseOptions): Promise<LoadedRollout> {
  const { path, threadId, scope } = options;
  const { found, faults, shownTurns, ended, told, ...read } = await readEntries(file, options).catch(nameFile(path));
  if (found[0]?.type !== "thread.opened") throw createOpeningFault(path);
  const repaired = repairEntries(placeHeads(found, threadId));
  const { entries: sendable } = repaired;
  const entries = scope === "all" ? convertHistory({ entries: sendable, shownTurns, ended, told }) : sendable;
  return { ...repaired, entries, repairs: [...faults, ...repaired.repairs], ...read };
}

/** Throws what was thrown, with the name of the file. */
export function nameFile(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof ThreadStoreError ? new ThreadStoreError(error.code, `${path}, ${error.message}`) : error;
  };
}

export function createOpeningFault(path: string): ThreadStoreError {
  const message = `${path} is not a thread: it does not begin with a session_meta.`;
  return new ThreadStoreError("thread_unreadable", message);
}

interface ReadEntries extends Omit<ForeignHistory, "entries"> {
  readonly found: readonly JournalEntry[];
  readonly faults: readonly string[];
  readonly length: number;
  readonly nextOrdinal: number | null;
  readonly facts: LoadedRollout["facts"];
}

/** Empties the earlier notes of waiting messages: they are not needed to resume, and they may contain many pictures. */
function createWaitingDrop(found: JournalEntry[]): (entry: JournalEntry) => void {
  /** Where the last one is. */
  let waitingAt: number | null = null;
  return (entry) => {
    if (entry.type !== "note" || entry.key !== "waiting") return;
    if (waitingAt !== null) found[waitingAt] = { type: "note", key: "waiting", value: [] };
    waitingAt = found.length;
  };
}

/** The time that a line begins with, in ms since 1970. Null: it has none. */
function readTime(line: Uint8Array): number | null {
  const [, text = ""] =
    /^\{"timestamp":"([^"]*)"/.exec(
      Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, 64)).toString("latin1"),
    ) ?? [];
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function withTime(entry: JournalEntry, at: number | null): JournalEntry {
  return at !== null && (entry.type === "turn.started" || entry.type === "turn.ended") ? { ...entry, at } : entry;
}

/** Lines of these types are not needed before the live part of the file. */
const isOfEpoch = createLineTypeTest("response_item", "compacted");

async function readEntries(file: ReadableFile, options: ParseOptions): Promise<ReadEntries> {
  const size = options.size === undefined ? {} : { size: options.size };
  const liveStart = options.scope === "all" ? 0 : await findLiveStart(file, size);
  const collected = createCollection(liveStart, options);
  const wants = (bytes: Uint8Array, at: number, start: number): boolean => start >= liveStart || !isOfEpoch(bytes, at);
  const lines = readLines(file, { wants, ...size });
  const ordinals = createOrdinalReader();
  let opening: LineFacts = {};
  const length = await forEach(lines, (some) => {
    for (const line of some) {
      if (line.number === 1 && options.scope === "all") opening = parseFacts(line.bytes);
      collected.add(line);
      ordinals.read(line);
    }
  });
  const { others, end, ...read } = collected;
  others.end();
  end();
  const { branch = null, source = null, forkedFrom = null, parent = null } = opening;
  return {
    ...read,
    length,
    nextOrdinal: ordinals.next,
    facts: { branch, source, forkedFrom, parent, usage: others.total },
  };
}

interface Collection extends Pick<ReadEntries, "found" | "faults" | "shownTurns" | "ended" | "told"> {
  readonly others: OtherUsage;
  add(line: FileLine): void;
  /** Behind the last line. */
  readonly end: () => void;
}

/** Takes the lines of a thread in their order. */
export function createCollection(liveStart: number, { scope, threadId }: LoadOptions): Collection {
  const found: JournalEntry[] = [];
  const faults: string[] = [];
  const summaries = new Set<string>();
  const lastSaid = createLastSaid();
  const texts = createSentTexts();
  const history = { shownTurns: new Set<string>(), ended: new Array<EndedCall>(), told: new Array<ToldCall>() };
  /** Turns of other programs are only shown: a resumed thread does without. */
  const turns = scope === "all" ? createForeignTurns(threadId) : null;
  const dropWaiting = createWaitingDrop(found);
  const others = createOtherUsage(found);

  function addEntry(entry: JournalEntry, { bytes, start }: FileLine, isLive = start >= liveStart): void {
    const joined = isLive ? null : joinRequests(found.at(-1), entry);
    if (joined !== null) found.pop();
    lastSaid.read(entry);
    others.read(entry);
    if (scope === "live") dropWaiting(entry);
    const at = readTime(bytes);
    const own = withTime(giveAuthors(joined ?? toSendable(entry)), at);
    found.push(...(turns?.before(own, at) ?? []));
    if (own.type === "item" && scope === "all") texts.read(own.item.item);
    found.push(own);
    if (own.type === "epoch") found.push(...(turns?.compacted(own.cause) ?? []));
  }

  function addShown({ kind, packed }: Extract<ParsedLine, { readonly type: "shown" }>, number: number): void {
    const entry = parseShownEntry(kind, texts.unpack(packed));
    if (entry !== null) found.push(entry);
    else faults.push(`Skipped a saved item that cannot be read (line ${number}).`);
  }

  function addParsed(parsed: ParsedLine, line: FileLine): void {
    const { number, bytes } = line;
    switch (parsed.type) {
      case "entry":
        return addEntry(parsed.entry, line);
      case "turn":
        if (parsed.hasShown) history.shownTurns.add(parsed.entry.turnId);
        return addEntry(parsed.entry, line);
      case "shown":
        return addShown(parsed, number);
      case "task":
        return void found.push(...(turns?.readTask(parsed.task, readTime(bytes)) ?? []));
      case "counted":
        return others.count(parsed.usage);
      case "told_call":
        return void history.told.push(parsed.told);
      case "ended_call":
        return void history.ended.push(parsed.ended);
      case "completed": {
        const outcome = { ...parsed.entry.outcome, finalMessage: lastSaid.text };
        return addEntry({ ...parsed.entry, outcome }, line);
      }
      case "summary":
        addEntry(rebuildEpoch(listLiveItems(found), parsed.summary, summaries), line, true);
        summaries.add(parsed.summary);
        return void faults.push(describeSummary(number));
      case "skipped":
        return;
      case "needs":
        if (scope === "live") throw createNewerFault(number, parsed.unknown);
        return void faults.push(describeNewer(number, parsed.unknown));
      case "damaged_head":
        throw createHeadFault(number, threadId);
      case "unreadable":
        faults.push(`Skipped a line that cannot be read (line ${number}).`);
    }
  }

  return {
    found,
    faults,
    ...history,
    others,
    end: () => void found.push(...(turns?.end() ?? [])),
    add(line) {
      const { bytes, number, isWhole } = line;
      if (!isWhole) faults.push(`The last line was cut off and is dropped (line ${number}).`);
      // what was shown takes no part in what is sent, and a long thread has much of it
      else if (scope === "live" && isShownOnly(bytes)) return;
      else if (bytes.length > 0) addParsed(parseLine(bytes), line);
    },
  };
}

function describeSummary(number: number): string {
  return `Another program compacted this thread and saved only a summary (line ${number}). The context was rebuilt from the first messages, your messages and that summary.`;
}

function describeNewer(number: number, names: readonly string[]): string {
  return `A newer version of unroll wrote something that this one does not know (${names.join(", ")}, line ${number}).`;
}

/** It may limit what the thread may do, or name something that must not run again. */
function createNewerFault(number: number, names: readonly string[]): ThreadStoreError {
  const message = `${describeNewer(number, names)} Update unroll here to resume the thread; this version can only read it.`;
  return new ThreadStoreError("thread_newer", message);
}

function createHeadFault(number: number, threadId: string): ThreadStoreError {
  return new ThreadStoreError(
    "thread_unreadable",
    `line ${number}: the request head is damaged, so the thread cannot continue as it was sent. Repair it (unroll threads repair ${threadId}): its next request then starts with a new head, and the provider's cache is lost once.`,
  );
}

const shownKinds: readonly (string | null)[] = [
  "item.ended",
  "told",
  "call.ended",
  // events of the Codex CLI
  "item_completed",
  "patch_apply_end",
];

function isShownOnly(line: Uint8Array): boolean {
  const head = readLineHead(line);
  return (head?.type === "unroll" || head?.type === "event_msg") && shownKinds.includes(head.kind);
}

/**
 * Of requests of a turn that are compared with nothing any more only counts what they used: a long thread has very many.
 * Null: these are none, or not of one kind.
 */
function joinRequests(before: JournalEntry | undefined, entry: JournalEntry): JournalEntry | null {
  if (before?.type !== "request" || entry.type !== "request") return null;
  const [a, b] = [before.request, entry.request];
  const isSameKind = a.isBeside === b.isBeside && a.isInherited === b.isInherited;
  if (a.usage === null || b.usage === null || !isSameKind) return null;
  return { ...entry, request: { ...b, usage: addTokenUsage(a.usage, b.usage) } };
}

/**
 * Keeps each head at its place, because the requests after it began with it. The first one comes first: a thread of
 * another program gets its head later. The file may also have the heads of threads from which this one was forked.
 */
export function placeHeads(found: readonly JournalEntry[], threadId: string): readonly JournalEntry[] {
  const first = found.find((entry) => entry.type === "thread.opened" && entry.head !== null) ?? found[0];
  const rest = found.filter((entry) => entry !== first && (entry.type !== "thread.opened" || entry.head !== null));
  const placed = first === undefined ? rest : [first, ...rest];
  return placed.map((entry) => (entry.type === "thread.opened" ? { ...entry, threadId } : entry));
}
