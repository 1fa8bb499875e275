import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { mkdir, open, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { takeEnd } from "@unroll/text";

/** The log of a server's stderr: a file, readable by its owner only, with its end in memory for messages. */
export interface ServerLog {
  /**
   * Adds a line. Resolves when it is written. If the file cannot be written, it is given up: a log
   * must not stop a server.
   */
  write(line: string): Promise<void>;
  /** The last whole lines since `forgetTail`. */
  tail(): string;
  forgetTail(): void;
  close(): Promise<void>;
}

/** How much of its end is kept in memory. */
const maxTailBytes = 1_000;

/**
 * A full file becomes `<path>.old`, so that both together hold at most `2 * maxBytes`. Nothing is
 * opened before the first line.
 */
export function createServerLog(path: string, maxBytes: number): ServerLog {
  let tail = "";
  let file: Promise<FileHandle | null> | null = null;
  let size = 0;
  let written: Promise<void> = Promise.resolve();

  async function append(line: string): Promise<void> {
    file ??= openFile(path);
    await (await file)?.write(line);
    size += Buffer.byteLength(line);
    if (size < maxBytes) return;
    size = 0;
    await close();
    await rename(path, `${path}.old`);
    file = openFile(path);
  }

  async function close(): Promise<void> {
    const open = await file;
    file = Promise.resolve(null);
    await open?.close();
  }

  return {
    write(line) {
      tail = takeLastLines(`${tail}${line}\n`);
      written = written
        .then(() => append(`${line}\n`))
        .catch(() => close())
        .catch(() => {});
      return written;
    },
    tail: () => tail.trim(),
    forgetTail() {
      tail = "";
    },
    async close() {
      await written;
      await close();
    },
  };
}

/** Cuts between lines, unless the last one is too long. */
function takeLastLines(text: string): string {
  const end = takeEnd(text, maxTailBytes);
  return end === text ? text : end.slice(end.indexOf("\n") + 1) || end;
}

/** A pipe in its place would hold up the server for ever. */
const replaceWithoutWaiting = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, replaceWithoutWaiting, 0o600);
    await handle.chmod(0o600);
    return handle;
  } catch {
    return null;
  }
}
