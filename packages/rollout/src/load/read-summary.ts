import type { ThreadSummary } from "@unroll/protocol";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { openPlainFile } from "@unroll/files";
import { type ReadableFile, readLines } from "../file/read-lines.ts";
import type { UsedFile } from "../file/rollout-folder.ts";
import { parseFacts, parseInputTokens } from "../line/parse-facts.ts";
import { createLineTypeTest, type LineHead, readLineHead } from "../line/read-line-head.ts";

/** Where the folder and the time of the beginning stand. In bytes. */
const openingBytes = 4 * 1024;
/** Smaller files are read without waiting. In bytes. */
const smallBytes = 64 * 1024;

const isTelling = createLineTypeTest("session_meta", "turn_context", "event_msg", "unroll");

/** Reads the file once, and parses only the few lines with facts about the whole thread. Null: it is not a thread. */
export async function readSummary({ path, threadId, usedAt, size }: UsedFile): Promise<ThreadSummary | null> {
  await using file = size < smallBytes ? openSmallFile(path) : await openPlainFile(path, "read");
  const summary = createThreadSummary();
  for await (const lines of readLines(file, { wants: isTelling, size })) {
    for (const { bytes } of lines) summary.add(bytes);
    if (!summary.isThread) return null;
  }
  return summary.isThread ? { threadId, usedAt, size, ...summary.facts() } : null;
}

/**
 * A small file that is read without waiting: of many thousand files in a row each takes a tenth of the time that the
 * thread pool takes. As `openPlainFile`, it refuses what is not a regular file.
 */
function openSmallFile(path: string): ReadableFile & AsyncDisposable {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const close = async (): Promise<void> => closeSync(file);
  if (fstatSync(file).isFile())
    return {
      read: async (...place) => ({ bytesRead: readSync(file, ...place) }),
      [Symbol.asyncDispose]: close,
    };
  closeSync(file);
  throw new Error("it is not a regular file");
}

const opening = Buffer.alloc(openingBytes);

/**
 * The folder in which a thread was started; reads the beginning of the file. It is synchronous: a thousand files are
 * read in a row, and through the thread pool that takes several times as long.
 */
export function readCwd(path: string): string | null {
  const text = opening.toString("utf8", 0, readOpening(path));
  const [, cwd] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  const value: unknown = cwd === undefined ? null : JSON.parse(cwd);
  return typeof value === "string" ? value : null;
}

/** Whether a sub-agent wrote the thread, by the first bytes of its file. */
export function isOfSubAgent(path: string): boolean {
  return opening.toString("utf8", 0, readOpening(path)).includes('"source":{"subagent"');
}

/** How many bytes of `opening` are the file's. */
function readOpening(path: string): number {
  const file = openSync(path, "r");
  try {
    return readSync(file, opening, 0, openingBytes, 0);
  } finally {
    closeSync(file);
  }
}

/** A fold of the lines of a thread to its summary. */
export interface ThreadSummaryFold {
  /** Whether the first line says so. */
  readonly isThread: boolean;
  /** Takes the next line, without its end. */
  add(line: Uint8Array): void;
  /** Whether a turn of our programs has begun and not ended. */
  readonly isInTurn: boolean;
  facts(): Omit<ThreadSummary, "threadId" | "usedAt" | "size">;
}

type Facts = ReturnType<ThreadSummaryFold["facts"]>;

/** An empty fold, for the lines of one thread in their order. */
export function createThreadSummary(): ThreadSummaryFold {
  const unknown = {
    cwd: null,
    branch: null,
    name: null,
    title: null,
    model: null,
    provider: null,
    usage: null,
    forkedFrom: null,
    parent: null,
    source: null,
  };
  let facts: Omit<Facts, "turns"> = { createdAt: 0, ...unknown };
  let isThread = false;
  const turns = createTurnCount();
  /** The input tokens of each reported request. */
  const inputs: (number | null)[] = [];
  /** The latest line of each kind; only that one is parsed, at the end. */
  const last: Record<"model" | "usage" | "name", Uint8Array | null> = { model: null, usage: null, name: null };

  function addEvent(kind: string | null, line: Uint8Array): void {
    if (kind === "token_count" && hasText(line, "_token_usage")) {
      last.usage = line.slice();
      inputs.push(parseInputTokens(line));
    } else if (kind === "user_message" || kind === "item_completed") addMessage(line);
  }

  /** The first message counts, and the first one behind the turns of another thread. */
  function addMessage(line: Uint8Array): void {
    const { title, forkedFrom } = facts;
    const copied = forkedFrom?.turns ?? null;
    const isOwn = forkedFrom !== null && forkedFrom.title === null && copied !== null && turns.own > copied;
    if (title !== null && !isOwn) return;
    const { title: found = null } = parseFacts(line);
    facts = { ...facts, title: title ?? found, forkedFrom: isOwn ? { ...forkedFrom, title: found } : forkedFrom };
  }

  return {
    get isThread() {
      return isThread;
    },
    get isInTurn() {
      return turns.isInTurn;
    },
    add(line) {
      const head = readLineHead(line);
      if (head === null) return;
      turns.add(head);
      if (head.type === "session_meta" && !isThread) {
        isThread = true;
        facts = { ...facts, ...parseFacts(line) };
      } else if (head.type === "event_msg") addEvent(head.kind, line);
      else if (head.type === "turn_context") last.model = line.slice();
      else if (head.kind === "note" && hasText(line, '"key":"name"')) last.name = line.slice();
    },
    facts() {
      for (const line of [last.model, last.usage, last.name])
        if (line !== null) facts = { ...facts, ...parseFacts(line) };
      return { ...facts, turns: turns.count(), longestInput: findLongest(inputs) };
    },
  };
}

/** Null where not all of them are known. */
function findLongest(inputs: readonly (number | null)[]): number | null {
  return inputs.reduce((most, input) => (most === null || input === null ? null : Math.max(most, input)), 0);
}

function hasText(line: Uint8Array, text: string): boolean {
  return Buffer.from(line.buffer, line.byteOffset, line.length).includes(text);
}

interface TurnCount {
  /** Turns of our programs. */
  readonly own: number;
  /** Whether the last of those has not ended. */
  readonly isInTurn: boolean;
  add(head: LineHead): void;
  count(): number;
}

/**
 * Each program says in lines of its own that a turn begins: we, the Codex CLI since it has tasks, and before. The first task in a
 * turn of ours is that turn: we write it for the Codex CLI.
 */
function createTurnCount(): TurnCount {
  const counts = { own: 0, tasks: 0, messages: 0 };
  let [isInOwn, hasTask] = [false, false];
  return {
    get own() {
      return counts.own;
    },
    get isInTurn() {
      return isInOwn;
    },
    add({ type, kind }) {
      if (type === "unroll" && kind === "turn.started") {
        counts.own += 1;
        [isInOwn, hasTask] = [true, false];
      } else if (type === "unroll" && kind === "turn.ended") isInOwn = false;
      else if (type === "event_msg" && kind === "task_started") {
        isInOwn &&= !hasTask;
        if (!isInOwn) counts.tasks += 1;
        hasTask = true;
      } else if (type === "event_msg" && kind === "user_message" && !isInOwn) counts.messages += 1;
    },
    count: () => counts.own + (counts.tasks > 0 ? counts.tasks : counts.messages),
  };
}
