import { constants, open } from "node:fs/promises";
import type { Clock } from "@unroll/flow";
import { systemErrorCode } from "@unroll/text";

/** A file as the editor has it. */
interface EditorText {
  readonly text: string;
  /** False: the disk has another one. */
  readonly isSaved: boolean;
}

/** The files of an editor that lets them be read. */
export interface EditorFiles {
  /**
   * By their absolute paths. Left out are those that the editor does not give, or not within five seconds, and those that are
   * here no text or have more than 1 MiB. One that is not here is taken as empty. Never throws.
   */
  read(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, EditorText>>;
  /** Of these, the texts that are not saved. */
  readUnsaved(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
}

interface EditorFilesParts {
  /** Asks the editor for the text of a file; it has to end when the signal aborts. Null: the editor lets none be read. */
  readonly ask: ((path: string, signal: AbortSignal) => Promise<string>) | null;
  readonly clock: Pick<Clock, "sleep">;
}

const patienceMs = 5_000;
const maxBytes = 2 ** 20;

/** Asks only while something is read; nothing is kept. */
export function openEditorFiles({ ask, clock }: EditorFilesParts): EditorFiles {
  async function readAll(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, EditorText>> {
    if (ask === null || paths.length === 0) return new Map();
    const over = new AbortController();
    const stop = AbortSignal.any([signal, over.signal]);
    const late = clock.sleep(patienceMs, stop).then(() => over.abort());
    const read = await Promise.all(
      [...new Set(paths)].map(async (path) => [path, await readOne(path, ask, stop)] as const),
    );
    over.abort();
    await late;
    return new Map(read.flatMap(([path, found]) => (found === null ? [] : [[path, found]])));
  }
  return {
    read: readAll,
    async readUnsaved(paths, signal) {
      const read = await readAll(paths, signal);
      return new Map([...read].flatMap(([path, { text, isSaved }]) => (isSaved ? [] : [[path, text]])));
    },
  };
}

async function readOne(
  path: string,
  ask: NonNullable<EditorFilesParts["ask"]>,
  signal: AbortSignal,
): Promise<EditorText | null> {
  const kept = await readKept(path);
  if (kept === null) return null;
  try {
    const text = await ask(path, signal);
    return { text, isSaved: toCompared(text) === toCompared(kept) };
  } catch {
    return null; // it is not there, not given, or the editor is gone
  }
}

/** Null: it cannot be compared with what an editor shows. */
async function readKept(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe would hold us up
    const found = await file.stat();
    if (!found.isFile() || found.size > maxBytes) return null;
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile()); // another encoding differs without a change
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? "" : null;
  }
}

/** Editors have line ends of their own, no mark of the byte order, and may hold the last line end apart. */
function toCompared(text: string): string {
  return text
    .replace(/^\u{FEFF}/u, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "");
}
