import type { JournalEntry } from "@unroll/protocol";
import { forEach } from "@unroll/flow";
import { type ReadableFile, readLines } from "../file/read-lines.ts";
import { convertHistory } from "../foreign/convert-history.ts";
import { createCollection, createOpeningFault, nameFile, placeHeads } from "./load-rollout.ts";
import { createMender } from "./repair-entries.ts";

/** Reads a thread while another process writes it. */
export interface Follower {
  /** Up to where it has been read, in bytes: a last line without its end is read when it is whole. */
  readonly length: number;
  /**
   * The entries of the lines that were added. An entry comes once and stays: the end of a turn of another program, and what is
   * made of its messages, comes when the turn has ended, and an output that a call lacks when somebody has written it.
   */
  read(file: ReadableFile): Promise<readonly JournalEntry[]>;
}

export function createFollower({ threadId, path }: Record<"threadId" | "path", string>): Follower {
  const collection = createCollection(0, { threadId, scope: "all" });
  const { found, shownTurns, ended, told } = collection;
  const mender = createMender();
  let [length, lines, taken] = [0, 0, 0];
  /** The entries of the running turn, or of those behind the last one. */
  let section: JournalEntry[] = [];
  const given = new Set<JournalEntry>();

  async function readNew(file: ReadableFile): Promise<void> {
    length = await forEach(readLines(file, { from: { start: length, number: lines + 1 } }), (some) => {
      for (const line of some) {
        if (!line.isWhole) continue;
        collection.add(line);
        lines = line.number;
      }
    });
  }

  function takeFound(): readonly JournalEntry[] {
    const end = found.at(-1)?.type === "usage.counted" ? found.length - 1 : found.length; // counts in a row become one entry
    const [some, isFirst] = [found.slice(taken, end), taken === 0];
    taken = Math.max(taken, end);
    if (isFirst) return placeHeads(some, threadId);
    return some.filter((entry) => entry.type !== "thread.opened" || entry.head !== null);
  }

  /** All of the section that was not given. */
  function endSection(): readonly JournalEntry[] {
    const entries = convertHistory({ entries: section, shownTurns, ended, told });
    const fresh = entries.filter((entry) => !given.has(entry));
    section = [];
    given.clear();
    return fresh;
  }

  /** A turn of another program waits for its end. */
  function giveSection(): readonly JournalEntry[] {
    const turn = section.find(({ type }) => type === "turn.started");
    if (turn?.type === "turn.started" && !shownTurns.has(turn.turnId)) return [];
    const fresh = section.filter((entry) => !given.has(entry));
    for (const entry of fresh) given.add(entry);
    return fresh;
  }

  return {
    get length() {
      return length;
    },
    async read(file) {
      await readNew(file).catch(nameFile(path));
      if (found.length > 0 && found[0]?.type !== "thread.opened") throw createOpeningFault(path);
      const entries: JournalEntry[] = [];
      for (const entry of takeFound().flatMap((each) => mender.mend(each))) {
        if (entry.type === "turn.started") entries.push(...endSection());
        section.push(entry);
        if (entry.type === "turn.ended") entries.push(...endSection());
      }
      return [...entries, ...giveSection()];
    },
  };
}
