import { constants, existsSync, lstatSync } from "node:fs";
import { open, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileIdentity } from "@unroll/protocol";
import { overtaken } from "./attempt-patch-call.ts";

/** A folder, and the way to what is in it that does not lead over its path. */
export interface FolderHandle extends AsyncDisposable {
  /** Where it was when it was opened, every link followed. */
  readonly realPath: string;
  readonly identity: FileIdentity;
  /** A path for file calls. Throws where the folder is known not to be in its place any more. */
  at(name: string): string;
  /** Where it is now; null when it cannot be told any more. */
  locate(): Promise<string | null>;
  /** Of the folder that is `levels` above it, whatever that is called now. Only told where a folder can be held. */
  identifyAbove(levels: number): Promise<FileIdentity>;
  /** Where what a path of `at` leads to is, every link followed. */
  follow(path: string): Promise<string>;
  /** Flags for opening what a path of `at` names, and nothing that a link leads to. */
  readonly openFlags: number;
}

export type OpenFolderHandle = (path: string, links: "follow" | "refuse") => Promise<FolderHandle>;

const heldFiles = "/proc/self/fd";
/** Linux: a handle that is good for paths alone, so a folder need not be readable. Node.js has no name for it. */
const pathOnly = 0o10000000;
/** macOS: refuses a link anywhere in the path. Node.js has no name for it. */
const noFollowAny = 0x20000000;

/** Held where the system lets paths begin at an open folder, which is Linux; by path alone elsewhere. */
export const openFolderHandle: OpenFolderHandle = (path, links) =>
  (existsSync(heldFiles) ? openHeldFolder : openFolderByPath)(path, links);

/** Every call goes to the folder that was opened, wherever it is moved and whatever takes its place. */
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
 * Weaker: between a look at the folder and the call, something else may take its place. `at` looks each time, and throws
 * where that has happened.
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

function identifyFolder(path: string): FileIdentity {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isDirectory()) throw systemError("ENOTDIR", path);
  return toIdentity(stats);
}

function toIdentity({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): FileIdentity {
  return { device: String(dev), inode: String(ino) };
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
