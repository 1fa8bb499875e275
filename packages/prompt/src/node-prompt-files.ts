import type { Dirent, Stats } from "node:fs";
import { type FileHandle, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type FileGate, judgeFile, openRegularFile } from "@unroll/files";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { FileRead, FolderEntry, PromptFiles } from "./prompt-files.ts";

/** The `PromptFiles` of this machine's disk. */
export const nodePromptFiles: PromptFiles = {
  async read(path, maxBytes) {
    const read = await attempt(() => readStart(path, maxBytes));
    return read.type === "done" ? read.value : read;
  },
  async list(path) {
    const listed = await attempt(async () => {
      const entries = await readdir(path, { withFileTypes: true });
      return {
        realPath: await realpath(path),
        entries: await Promise.all(entries.map((entry) => toEntry(path, entry))),
      };
    });
    return listed.type === "done" ? { type: "listed", ...listed.value } : listed;
  },
};

/**
 * The same files without those that the gate refuses. The gate is read again for each file, because settings change.
 */
export function gatePromptFiles(files: PromptFiles, readGate: () => FileGate): PromptFiles {
  return {
    list: (path) => files.list(path),
    async read(path, maxBytes) {
      const read = await files.read(path, maxBytes);
      if (read.type !== "read" || read.opened === undefined) return read;
      const reason = await judgeFile(path, read.opened, readGate());
      return reason === null ? read : { type: "refused", reason };
    },
  };
}

/**
 * Why the gate refuses a file or a folder, as the rest of a sentence that begins with its path; null: it does not, or
 * nothing is there.
 */
export async function judgePath(path: string, gate: FileGate): Promise<string | null> {
  const found = await attempt(async () => {
    const realPath = await realpath(path);
    return { realPath, facts: await stat(realPath, { bigint: true }) };
  });
  if (found.type === "missing") return null;
  if (found.type === "unreadable") return `cannot be read (${found.reason})`;
  const { realPath, facts } = found.value;
  const links = facts.isDirectory() ? 1 : Number(facts.nlink); // a folder has no other name
  return judgeFile(path, { realPath, device: `${facts.dev}`, inode: `${facts.ino}`, links }, gate);
}

type Attempt<T> =
  | { readonly type: "done"; readonly value: T }
  | { readonly type: "missing" }
  | { readonly type: "unreadable"; readonly reason: string };

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { type: "done", value: await work() };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { type: "missing" };
    return { type: "unreadable", reason: describeSystemError(error) };
  }
}

async function readStart(path: string, maxBytes: number): Promise<FileRead> {
  const file = await openRegularFile(path);
  if (file === null) return { type: "irregular" };
  const { handle, opened, size } = file;
  try {
    return { type: "read", bytes: await fill(handle, Math.min(maxBytes, size)), size, opened };
  } finally {
    await handle.close();
  }
}

async function fill(file: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let end = 0;
  while (end < length) {
    const { bytesRead } = await file.read(bytes, end, length - end, end);
    if (bytesRead === 0) break;
    end += bytesRead;
  }
  return bytes.subarray(0, end);
}

async function toEntry(folder: string, entry: Dirent): Promise<FolderEntry> {
  const target = entry.isSymbolicLink() ? await attempt(() => stat(join(folder, entry.name))) : null;
  if (target === null) return { name: entry.name, type: typeOf(entry) };
  return { name: entry.name, type: target.type === "done" ? typeOf(target.value) : "other" };
}

function typeOf(node: Dirent | Stats): FolderEntry["type"] {
  if (node.isFile()) return "file";
  return node.isDirectory() ? "folder" : "other";
}

export type { FileGate } from "@unroll/files";
