import { kindOf } from "@unroll/files";
import { identityOf, isEmptyFolder } from "../files/path-facts.ts";
import { quarantine } from "./quarantine.ts";

/**
 * What an empty folder holds down, whoever is outside may set free: one that removes empty folders lets a running command
 * make its own `.codex`. So what is at such a path only since the command began is put aside, whoever put it there.
 */
export interface AgentFolderGuard {
  /** After the command has ended. Returns a sentence on each thing that was put aside. */
  readonly close: () => readonly string[];
}

/** Remembers what is at the paths before a command starts. At those in `absent` there is nothing. */
export function openAgentFolderGuard(paths: readonly string[], absent: ReadonlySet<string>): AgentFolderGuard {
  const before = new Map(paths.map((path) => [path, absent.has(path) ? nothing : describe(path)]));
  return {
    close: () =>
      [...before].filter(([path, text]) => ![text, nothing].includes(describe(path))).map(([path]) => putAside(path)),
  };
}

const nothing = "";

/** Says the same as long as the same folder is there; an empty one is nothing. */
function describe(path: string): string {
  const kind = kindOf(path);
  const isNothing = kind === "missing" || (kind === "folder" && isEmptyFolder(path));
  const identity = isNothing ? null : identityOf(path);
  return identity === null ? nothing : `${identity.device}:${identity.inode}`;
}

function putAside(path: string): string {
  const newPath = quarantine(path, null);
  const reason = "it appeared while a command ran in the sandbox, and agents would obey it";
  if (newPath === null) return `${path} could not be put aside; remove it: ${reason}.`;
  return newPath === path ? `${path} was removed: ${reason}.` : `${path} was put aside as ${newPath}: ${reason}.`;
}
