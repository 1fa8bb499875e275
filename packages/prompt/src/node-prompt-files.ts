import type { Dirent, Stats } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { FolderEntry, PromptFiles } from "./prompt-files.ts";

/** The `PromptFiles` of this machine's disk. */
export const nodePromptFiles: PromptFiles = {
  async read(path, maxBytes) {
    const found = await attempt(() => stat(path));
    if (found.type !== "done") return found;
    if (!found.value.isFile()) return { type: "irregular" };
    const read = await attempt(() => readStart(path, Math.min(maxBytes, found.value.size)));
    return read.type === "done" ? { type: "read", bytes: read.value, size: found.value.size } : read;
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

async function readStart(path: string, length: number): Promise<Uint8Array> {
  await using file = await open(path, "r");
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
