import { text } from "node:stream/consumers";
import {
  type CollectQuery,
  encodeJournalEntry,
  type JournalEntry,
  parseJournalEntry,
  readAuthor,
  type ResponseItem,
  type StoredJournal,
  type TendedThread,
  type ThreadMeta,
  type ThreadStore,
  type ThreadSummary,
  withAuthor,
} from "@unroll/protocol";
import { threadStoreCases } from "@unroll/protocol/store-suite";
import { expect, test } from "vitest";

/** A row of a table of threads, as a database would have it. */
interface Row {
  readonly meta: ThreadMeta;
  readonly lines: string[];
  isArchived: boolean;
  isHeld: boolean;
  usedAt: number;
  name: string | null;
}

class RowError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

function toTended(threadId: string): TendedThread {
  return { threadId, place: `row ${threadId}` };
}

/** A store that is not of this repository: rows of text, by the codec alone. */
function openRows(rows: Map<string, Row>): ThreadStore {
  function find(id: string): readonly [string, Row] {
    const found = [...rows].filter(([key]) => key === id || key.startsWith(id));
    const [first, second] = found;
    if (first === undefined) throw new RowError("thread_missing");
    if (second !== undefined) throw new RowError("thread_ambiguous");
    return first;
  }
  function hold(id: string): readonly [string, Row] {
    const found = find(id);
    if (found[1].isHeld) throw new RowError("thread_locked");
    return found;
  }
  function write(row: Row, entry: JournalEntry): void {
    row.lines.push(`${encodeJournalEntry(entry)}\n`);
    row.usedAt = Date.now();
  }
  function parse({ lines }: Row): readonly JournalEntry[] {
    return lines.map(parseJournalEntry).filter((entry) => entry !== null);
  }
  function summarise([threadId, { meta, usedAt, name }]: readonly [string, Row]): ThreadSummary {
    const unknown = { branch: null, title: null, model: null, usage: null, forkedFrom: null, size: null };
    const facts = { threadId, cwd: meta.cwd, provider: meta.modelProvider, createdAt: usedAt, usedAt, turns: 1 };
    return { ...facts, name, parent: meta.parent ?? null, ...unknown };
  }
  function setArchived(id: string, isArchived: boolean): TendedThread {
    const [threadId, row] = hold(id);
    if (row.isArchived === isArchived) throw new RowError(isArchived ? "thread_archived" : "thread_missing");
    row.isArchived = isArchived;
    return toTended(threadId);
  }
  const list: ThreadStore["list"] = async function* ({ cwd, archived = false, search, parent, after, limit } = {}) {
    const sorted = [...rows].toSorted(([, a], [, b]) => b.usedAt - a.usedAt);
    const wanted = sorted
      .filter((row) => row[1].isArchived === archived && (cwd === undefined || row[1].meta.cwd === cwd))
      .filter(([, { meta }]) => parent === undefined || meta.parent?.threadId === parent)
      .slice(after === undefined ? 0 : sorted.findIndex(([id]) => id === after) + 1)
      .map(summarise)
      .filter(({ name }) => search === undefined || name?.toLowerCase().includes(search.toLowerCase()));
    yield* wanted.slice(0, limit);
  };
  return {
    async create(meta, first = []) {
      const row: Row = { meta, lines: [], isArchived: false, isHeld: true, usedAt: 0, name: null };
      for (const entry of first) write(row, entry);
      const journal: StoredJournal = {
        get isKept() {
          return rows.has(meta.threadId);
        },
        record(entry) {
          write(row, entry);
          if (entry.type === "turn.started") rows.set(meta.threadId, row);
        },
        settled: async () => {},
        [Symbol.asyncDispose]: async () => void (row.isHeld = false),
      };
      return journal;
    },
    async load(id) {
      const [threadId, row] = find(id);
      return { threadId, entries: parse(row), usedAt: row.usedAt, repairs: [] };
    },
    async resume(id) {
      const [threadId, row] = hold(id);
      if (row.isArchived) throw new RowError("thread_archived");
      row.isHeld = true;
      const journal: StoredJournal = {
        isKept: true,
        record: (entry) => write(row, entry),
        settled: async () => {},
        [Symbol.asyncDispose]: async () => void (row.isHeld = false),
      };
      return { threadId, entries: parse(row), usedAt: row.usedAt, repairs: [], journal };
    },
    list,
    async *watch(id, { from = 0, signal }) {
      for (let seen = from; !signal.aborted;) {
        const entries = parse(find(id)[1]);
        if (entries.length > seen) yield entries.slice(seen);
        seen = Math.max(seen, entries.length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async find(_which, query) {
      for await (const { threadId } of list(query)) return threadId;
      return null;
    },
    upkeep: {
      archive: async (id) => setArchived(id, true),
      unarchive: async (id) => setArchived(id, false),
      async rename(id, name) {
        const [threadId, row] = hold(id);
        row.name = name;
        return toTended(threadId);
      },
      async repair(id) {
        const [threadId, row] = hold(id);
        const whole = row.lines.filter((line) => parseJournalEntry(line) !== null);
        const repairs = whole.length === row.lines.length ? [] : ["A line was left out."];
        if (repairs.length === 0) return { ...toTended(threadId), aside: null, repairs };
        const asideId = `old-${rows.size}-${threadId}`;
        rows.set(asideId, { ...row, lines: [...row.lines], isArchived: true });
        row.lines.splice(0, Infinity, ...whole);
        return { ...toTended(threadId), aside: toTended(asideId).place, repairs };
      },
      async *export(id) {
        yield Buffer.from(find(id)[1].lines.join(""));
      },
      async import(bytes) {
        const lines = (await text(bytes)).split(/(?<=\n)/);
        const opened = lines.map(parseJournalEntry).find((entry) => entry?.type === "thread.opened");
        if (opened?.type !== "thread.opened") throw new RowError("thread_unreadable");
        const { threadId } = opened;
        if (rows.has(threadId)) throw new RowError("thread_exists");
        const meta = { threadId, cwd: "/", userAgent: "rows", modelProvider: "p", forkedFrom: null };
        rows.set(threadId, { meta, lines, isArchived: false, isHeld: false, usedAt: Date.now(), name: null });
        return toTended(threadId);
      },
      async remove(id) {
        const [threadId] = hold(id);
        rows.delete(threadId);
        return toTended(threadId);
      },
      async removeUnused(id, usedAt) {
        const [threadId, row] = hold(id);
        return row.usedAt <= usedAt && rows.delete(threadId);
      },
      async *collect({ usedBefore, archived }: CollectQuery) {
        for (const row of rows) {
          const [threadId, { usedAt, isArchived, isHeld }] = row;
          if (isHeld || usedAt >= usedBefore || (isArchived && !archived)) continue;
          yield { ...toTended(threadId), size: null, usedAt, isArchived, summary: summarise(row) };
        }
      },
      listOpen: async () => [...rows].flatMap(([threadId, { isHeld }]) => (isHeld ? [{ threadId, pid: null }] : [])),
      sweep: async () => 0,
      find: async (id) => toTended(find(id)[0]),
      check: async () => ({ place: "rows", warning: null }),
    },
  };
}

test.each(threadStoreCases)("a store of rows, by the codec alone: $name", async ({ run }) => {
  const rows = new Map<string, Row>();
  await expect(run(async () => openRows(rows))).resolves.toBeUndefined();
});

test("a store that breaks a promise does not pass", async () => {
  const broken = async (open: (rows: Map<string, Row>) => ThreadStore): Promise<number> => {
    const results = threadStoreCases.map(async ({ run }) => {
      const rows = new Map<string, Row>();
      await run(async () => open(rows));
    });
    return (await Promise.allSettled(results)).filter(({ status }) => status === "rejected").length;
  };
  expect(
    await broken((rows) => ({ ...openRows(rows), load: (id) => openRows(rows).load(`${id}-other`) })),
  ).toBeGreaterThan(5);
  const forgetful = (rows: Map<string, Row>): ThreadStore => ({
    ...openRows(rows),
    create: async (meta) => openRows(rows).create(meta),
  });
  expect(await broken(forgetful)).toBe(1);
});

test("a message that waits to be sent keeps its author", () => {
  const text = { type: "message", role: "user", content: [{ type: "input_text", text: "A skill." }] } as const;
  const author = { type: "harness", fragment: "skill" } as const;
  const entry = parseJournalEntry(
    encodeJournalEntry({ type: "note", key: "waiting", value: [withAuthor(text, author), text] }),
  );
  expect(entry).toEqual({ type: "note", key: "waiting", value: [text, text] });
  const messages = entry?.type === "note" && Array.isArray(entry.value) ? (entry.value as readonly ResponseItem[]) : [];
  expect(messages.map(readAuthor)).toEqual([author, { type: "user", parts: [0] }]);
});

test("an entry that is damaged, or of a later version, is not read", () => {
  const lines = [
    "",
    "7",
    "[]",
    "{",
    '{"type":"of_tomorrow"}',
    '{"type":"item","item":{}}',
    '{"type":"epoch","items":7}',
  ];
  expect(lines.map(parseJournalEntry)).toEqual(lines.map(() => null));
  expect(parseJournalEntry('{"type":"thread.opened","head":"{"}')).toBeNull();
});
