import { type BigIntStats, constants, type Stats } from "node:fs";
import {
  access,
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type PatchFiles, PatchFilesError, type PatchFileStat } from "@unroll/apply-patch";
import { describeSystemError, systemErrorCode } from "@unroll/text";

/**
 * A patch's files on this machine. New bytes are on the disk (fsync) before they are renamed into place. A replaced
 * file keeps its mode and, where this user may set them, owner and group; other names of it (hard links) keep the old
 * text, and access lists and extended attributes are not carried over. Staged files and backups are hidden files next
 * to the target, and only a crash leaves one behind.
 */
export const nodePatchFiles: PatchFiles = {
  resolve,
  stat: (path) => orNull(async () => toStat(path, await lstat(path, { bigint: true }))),
  realpath: (path) => orNull(() => realpath(path)),
  readFile: (path) => attempt(() => readRegularFile(path)),
  writeStaged: (target, bytes, like) => attempt(() => writeStaged(target, bytes, like)),
  backUp: (path) => attempt(() => withFreeName(path, (name) => copyName(path, name))),
  rename: (from, to) => attempt(() => rename(from, to)),
  remove: (path) => attempt(() => rm(path, { force: true })),
  makeDirectory: (path) => attempt(() => mkdir(path)),
  removeDirectory: (path) => attempt(() => rmdir(path)),
};

const passing: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EBUSY", "EMFILE", "ENFILE"]);

/** What the system refuses is a `PatchFilesError`; anything else is a bug. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null || cause instanceof PatchFilesError) throw cause;
    throw new PatchFilesError(describeSystemError(cause), { code, retryable: passing.has(code), cause });
  }
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  return attempt(async () => {
    try {
      return await work();
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw error;
    }
  });
}

async function toStat(path: string, stats: BigIntStats): Promise<PatchFileStat> {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const type = typeOf(stats);
  const isWritable = type === "file" && (await canWrite(path));
  return { type, size: Number(size), version: [dev, ino, size, mtimeNs, ctimeNs].join(":"), isWritable };
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

/** Opened without waiting: a pipe may have taken the file's place since it was looked at. */
async function readRegularFile(path: string): Promise<Uint8Array> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await file.stat()).isFile())
    throw new PatchFilesError("it is not a regular file", { code: "EINVAL", retryable: false });
  return file.readFile();
}

async function writeStaged(target: string, bytes: Uint8Array, like: string | null): Promise<string> {
  const model = like === null ? null : await stat(like);
  return withFreeName(target, async (name) => {
    await using file = await open(name, "wx", model === null ? 0o666 : 0o600);
    try {
      await file.writeFile(bytes);
      if (model !== null) await takeAfter(file, model);
      await file.sync();
    } catch (error) {
      await rm(name, { force: true });
      throw error;
    }
  });
}

/** Permissions and, where this user may, owner and group. A set-user-ID bit goes, as it does on any write. */
async function takeAfter(file: FileHandle, model: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== model.uid || own.gid !== model.gid)
    await file.chown(model.uid, model.gid).catch((error: unknown) => {
      if (systemErrorCode(error) !== "EPERM") throw error;
    });
  await file.chmod(model.mode & 0o777);
}

/** Runs `make` with a name in the folder of `target` that nothing has; `make` fails with EEXIST where one has it. */
async function withFreeName(target: string, make: (name: string) => Promise<void>): Promise<string> {
  for (let number = 0; ; number++) {
    const name = join(dirname(target), `.unroll-patch-${number}`);
    try {
      await make(name);
      return name;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    }
  }
}

const noHardLinks: ReadonlySet<string | null> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

/** A second name by hard link, which takes no room; a copy where the file system or its rules have none. */
async function copyName(path: string, name: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return symlink(await readlink(path), name);
  await link(path, name).catch((error: unknown) => {
    if (!noHardLinks.has(systemErrorCode(error))) throw error;
    return copyFile(path, name, constants.COPYFILE_EXCL);
  });
}
