import { kindOf, withKnownPaths } from "@unroll/files";
import { identityOf, listNames } from "../files/path-facts.ts";
import { quarantine } from "./quarantine.ts";

/**
 * Puts aside everything that appeared at these paths while a command ran, no matter who created it.
 * An empty folder blocks the name, but a program outside that removes empty folders would let a
 * running command create its own `.codex`.
 */
export interface AgentFolderGuard {
  /** Call it after the command has ended. Returns one sentence about each thing that was put aside. */
  readonly close: () => readonly string[];
}

/** Records what is at the paths before a command starts. The paths in `absent` are empty. */
export function openAgentFolderGuard(paths: readonly string[], absent: ReadonlySet<string>): AgentFolderGuard {
  const before = new Map(paths.map((path) => [path, absent.has(path) ? nothing : describe(path)]));
  return {
    close() {
      const hasChanged = ([path, text]: readonly [string, string]): boolean =>
        ![text, nothing].includes(describe(path));
      return withKnownPaths(() => [...before].filter(hasChanged)).map(([path]) => putAside(path));
    },
  };
}

const nothing = "";

/** Gives the same text as long as the same folder is there. An empty folder counts as nothing. */
function describe(path: string): string {
  const kind = kindOf(path);
  const isNothing = kind === "missing" || (kind === "folder" && listNames(path).length === 0);
  const identity = isNothing ? null : identityOf(path);
  return identity === null ? nothing : `${identity.device}:${identity.inode}`;
}

function putAside(path: string): string {
  const newPath = quarantine(path, null);
  const reason = "it appeared while a command ran in the sandbox, and agents would obey it";
  if (newPath === null) return `${path} could not be put aside; remove it: ${reason}.`;
  return newPath === path ? `${path} was removed: ${reason}.` : `${path} was put aside as ${newPath}: ${reason}.`;
}
