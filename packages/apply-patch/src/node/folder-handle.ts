import { constants, existsSync, lstatSync } from "node:fs";
import { open, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { overtaken } from "./attempt-patch-call.ts";

/** Which folder it is: numbers of the file system, in decimal, because they may not fit into a JavaScript number. */
export interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
}

/** An open folder, and paths to its files that do not depend on the folder's own path. */
export interface FolderHandle extends AsyncDisposable {
  /** Its path when it was opened, with every link followed. */
  readonly realPath: string;
  readonly identity: FolderIdentity;
  /** A path for file calls. Throws if the folder is known to have left its place. */
  at(name: string): string;
  /** Its current path; null if that is unknown. */
  locate(): Promise<string | null>;
  /** Identifies the folder `levels` above it, whatever that folder is called now. Exact only if folders can be held open. */
  identifyAbove(levels: number): Promise<FolderIdentity>;
  /** The real path that a path of `at` leads to, with every link followed. */
  follow(path: string): Promise<string>;
  /** Flags that open a path of `at` without following links. */
  readonly openFlags: number;
}

export type OpenFolderHandle = (path: string, links: "follow" | "refuse") => Promise<FolderHandle>;

const heldFiles = "/proc/self/fd";
/** Linux `O_PATH`: a handle for paths only, so the folder need not be readable. Node.js has no name for it. */
const pathOnly = 0o10000000;
/** macOS `O_NOFOLLOW_ANY`: refuses a link anywhere in the path. Node.js has no name for it. */
const noFollowAny = 0x20000000;

/** Holds the folder open if the system lets paths begin at an open folder (Linux). Elsewhere, uses its path. */
export const openFolderHandle: OpenFolderHandle = (path, links) =>
  (existsSync(heldFiles) ? openHeldFolder : openFolderByPath)(path, links);

/** Every call goes to the folder that was opened, even if it is moved or replaced. */
const openHeldFolder: OpenFolderHandle = async (path, links) => {
  const file = await open(path, pathOnly | constants.O_DIRECTORY | (links === "refuse" ? constants.O_NOFOLLOW : 0));
  try {
    const self = `${heldFiles}/${file.fd}`;
    const locate = (): Promise<string> => readlink(self);
    return {
      realPath: await locate(),
      identity: toIdentity(await file.stat({ bigint: true })),
      at: (name) => `${self}/${name}`,
      locate,
      identifyAbove: async (levels) => toIdentity(await stat(self + "/..".repeat(levels), { bigint: true })),
      follow: followByHandle,
      openFlags: constants.O_NOFOLLOW,
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
};

async function followByHandle(path: string): Promise<string> {
  await using target = await open(path, pathOnly);
  return await readlink(`${heldFiles}/${target.fd}`);
}

/**
 * Weaker: another folder may take its place between a check and a call. `at` checks each time and throws if the folder was
 * replaced.
 */
export const openFolderByPath: OpenFolderHandle = async (path, links) => {
  const realPath = await realpath(path);
  if (links === "refuse" && realPath !== path) throw systemError("ELOOP", path);
  const identity = identifyFolder(realPath);
  const isHere = (): boolean => {
    const now = identifyFolder(realPath);
    return now.device === identity.device && now.inode === identity.inode;
  };
  return {
    realPath,
    identity,
    at: (name) => {
      if (!isHere()) throw overtaken("its folder");
      return join(realPath, name);
    },
    locate: async () => (isHere() ? realpath(realPath) : null),
    identifyAbove: async (levels) => identifyFolder(join(realPath, ...Array.from({ length: levels }, () => ".."))),
    follow: (link) => realpath(link),
    // Only macOS knows O_SYMLINK.
    openFlags: Object.hasOwn(constants, "O_SYMLINK") ? noFollowAny : constants.O_NOFOLLOW,
    async [Symbol.asyncDispose]() {},
  };
};

function identifyFolder(path: string): FolderIdentity {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isDirectory()) throw systemError("ENOTDIR", path);
  return toIdentity(stats);
}

function toIdentity({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): FolderIdentity {
  return { device: String(dev), inode: String(ino) };
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
