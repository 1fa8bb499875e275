import { type BigIntStats, constants } from "node:fs";
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import { systemErrorCode } from "@unroll/text";
import type { FilePermissions, PatchFileStat, PatchFolder } from "../plan/patch-files.ts";
import { PatchFilesError } from "../plan/patch-files-error.ts";
import { attempt, attemptOrNull, overtaken } from "./attempt-patch-call.ts";
import type { FolderHandle } from "./folder-handle.ts";
import { isDead, nameOwner } from "./patch-owner.ts";
import { findReplacedRoot, type PatchRoot } from "./patch-root.ts";

export interface PatchFolderPlace {
  readonly listRoots: () => readonly PatchRoot[];
  /** Opens a path; fails if it is a link. */
  readonly openBelow: (path: string) => Promise<PatchFolder>;
  /** Identities of folders that hold no leftovers of processes that were killed before. */
  readonly cleared: Set<string>;
}

type NewName = "staged" | "backup";

const prefix = ".unroll-patch";
const backupEnd = ".old";
const leftover = /^\.unroll-patch-([0-9a-f]+-\d+-\d+)-\d+(\.old)?$/;

const noHardLinks: ReadonlySet<string | null> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

export class NodePatchFolder implements PatchFolder {
  readonly #handle: FolderHandle;
  readonly #place: PatchFolderPlace;
  /** Names with lower numbers were taken when they were tried. */
  #nextName = 0;

  constructor(handle: FolderHandle, place: PatchFolderPlace) {
    this.#handle = handle;
    this.#place = place;
  }

  get realPath(): string {
    return this.#handle.realPath;
  }

  get identity(): string {
    const { device, inode } = this.#handle.identity;
    return `${device}:${inode}`;
  }

  async isInPlace(): Promise<boolean> {
    const isHere = await attemptOrNull(async () => {
      if ((await this.#handle.locate()) !== this.realPath) return false;
      return (await findReplacedRoot(this.#handle, this.#place.listRoots())) === null;
    });
    return isHere ?? false;
  }

  async stat(name: string): Promise<PatchFileStat | null> {
    return attemptOrNull(async () => {
      const path = this.#handle.at(name);
      const stats = await lstat(path, { bigint: true });
      return toPatchStat(stats, stats.isFile() && (await canWrite(path)));
    });
  }

  async followLink(name: string): Promise<string | null> {
    return attemptOrNull(() => this.#handle.follow(this.#handle.at(name)));
  }

  async readFile(name: string, known: PatchFileStat): Promise<Uint8Array> {
    return attempt(async () => {
      // Never blocks: a pipe may have replaced the file since it was checked.
      const flags = constants.O_RDONLY | constants.O_NONBLOCK | this.#handle.openFlags;
      await using file = await open(this.#handle.at(name), flags).catch((error: unknown) => {
        throw systemErrorCode(error) === "ELOOP" ? overtaken("it") : error;
      });
      const stats = await file.stat({ bigint: true });
      if (!stats.isFile()) throw new PatchFilesError("it is not a regular file", { code: "EINVAL", retryable: false });
      if (toContent(stats) !== known.content) throw overtaken("it");
      return await file.readFile();
    });
  }

  async writeStaged(bytes: Uint8Array, permissions: FilePermissions | null): Promise<string> {
    return attempt(() => this.#copyFile("staged", bytes, permissions));
  }

  async backUp(name: string, known: PatchFileStat): Promise<string> {
    return attempt(async () => {
      if (known.type === "link") return this.#copyLink(name);
      try {
        return await this.#addName(name, known);
      } catch (error) {
        if (!noHardLinks.has(systemErrorCode(error))) throw error;
        return await this.#copyFile("backup", await this.readFile(name, known), known.permissions);
      }
    });
  }

  async reserveName(): Promise<string> {
    return attempt(() => this.#createFile("backup", 0o600, async () => {}));
  }

  async rename(from: string, to: string): Promise<void> {
    await attempt(() => rename(this.#handle.at(from), this.#handle.at(to)));
  }

  async renameToNew(from: string, to: string): Promise<void> {
    await attempt(async () => {
      try {
        await link(this.#handle.at(from), this.#handle.at(to));
      } catch (error) {
        if (!noHardLinks.has(systemErrorCode(error))) throw error;
        if ((await this.stat(to)) !== null) throw overtaken("it");
        await rename(this.#handle.at(from), this.#handle.at(to));
        return;
      }
      await unlink(this.#handle.at(from));
    });
  }

  async remove(name: string): Promise<void> {
    await attemptOrNull(() => unlink(this.#handle.at(name)));
  }

  async makeFolder(name: string): Promise<PatchFolder> {
    return attempt(async () => {
      await mkdir(this.#handle.at(name));
      try {
        return await this.#place.openBelow(this.#handle.at(name));
      } catch (error) {
        await attemptOrNull(() => rmdir(this.#handle.at(name)));
        throw error;
      }
    });
  }

  async removeFolder(name: string): Promise<void> {
    await attempt(() => rmdir(this.#handle.at(name)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle[Symbol.asyncDispose]();
  }

  /** Adds a second name by a hard link, which takes no disk space. */
  async #addName(name: string, known: PatchFileStat): Promise<string> {
    const added = await this.#withFreeName("backup", (path) => link(this.#handle.at(name), path));
    const stat = await this.stat(added);
    if (stat?.content === known.content) return added;
    await this.remove(added);
    throw overtaken("it");
  }

  /**
   * Removes files that a process left here when it was killed during a patch. A backup stays if it may be the only copy of what a file held: the process
   * may have named it to the user.
   */
  async #removeLeftovers(): Promise<void> {
    const { cleared } = this.#place;
    if (nameOwner() === null || cleared.has(this.identity)) return;
    cleared.add(this.identity);
    const names = await readdir(this.#handle.at(".")).catch(() => []); // it may be writable only
    for (const name of names) {
      const [, owner, end] = leftover.exec(name) ?? [];
      if (owner === undefined || !isDead(owner)) continue;
      const stats = await lstat(this.#handle.at(name)).catch(() => null);
      if (stats?.isFile() !== true || (end === backupEnd && stats.size > 0 && stats.nlink === 1)) continue;
      await unlink(this.#handle.at(name)).catch(() => {}); // a later patch tries again
    }
  }

  async #copyLink(name: string): Promise<string> {
    const target = await readlink(this.#handle.at(name), "buffer");
    return this.#withFreeName("backup", (path) => symlink(target, path));
  }

  async #copyFile(kind: NewName, bytes: Uint8Array, permissions: FilePermissions | null): Promise<string> {
    return this.#createFile(kind, permissions === null ? 0o666 : 0o600, async (file) => {
      await file.writeFile(bytes);
      if (permissions !== null) await setPermissions(file, permissions);
      await file.sync();
    });
  }

  async #createFile(kind: NewName, mode: number, fill: (file: FileHandle) => Promise<void>): Promise<string> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | this.#handle.openFlags;
    return this.#withFreeName(kind, async (path) => {
      await using file = await open(path, flags, mode);
      try {
        await fill(file);
      } catch (error) {
        await unlink(path);
        throw error;
      }
    });
  }

  /** Calls `make` with paths of new names until one is free; `make` must fail with EEXIST for a used one. */
  async #withFreeName(kind: NewName, make: (path: string) => Promise<void>): Promise<string> {
    await this.#removeLeftovers();
    const owner = nameOwner();
    for (;;) {
      const name = `${[prefix, ...(owner === null ? [] : [owner]), this.#nextName++].join("-")}${kind === "backup" ? backupEnd : ""}`;
      try {
        await make(this.#handle.at(name));
        return name;
      } catch (error) {
        if (systemErrorCode(error) !== "EEXIST") throw error;
      }
    }
  }
}

function toPatchStat(stats: BigIntStats, isWritable: boolean): PatchFileStat {
  const content = toContent(stats);
  const permissions = { mode: Number(stats.mode) & 0o777, user: Number(stats.uid), group: Number(stats.gid) };
  const version = `${content}:${stats.ctimeNs}`;
  return { type: typeOf(stats), size: Number(stats.size), version, content, isWritable, permissions };
}

function toContent({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(":");
}

function typeOf(stats: BigIntStats): PatchFileStat["type"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}

async function canWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Drops a set-user-ID bit, as any write does. */
async function setPermissions(file: FileHandle, { mode, user, group }: FilePermissions): Promise<void> {
  const own = await file.stat();
  if (own.uid !== user || own.gid !== group)
    await file.chown(user, group).catch((error: unknown) => {
      if (systemErrorCode(error) !== "EPERM") throw error;
    });
  await file.chmod(mode);
}
