import { isGitFolder, isInside, kindOf, withKnownPaths, readCommonFolder, readGitEntry } from "@unroll/files";
import { listEntries } from "../files/list-entries.ts";
import type { WorkspaceRules } from "../plan/workspace-rules.ts";
import { createFolderTracker, type FolderTracker, type FolderTrackerOptions } from "./folder-tracker.ts";
import { inspectGitFolder, type Danger } from "./inspect-git-folder.ts";
import { inspectPointer } from "./inspect-pointer.ts";
import { quarantine } from "./quarantine.ts";
import type { SearchResult } from "./search-result.ts";

/**
 * Checks after each command for things that mounts cannot prevent: new repositories anywhere in the
 * workspace, and new files that git obeys. It puts them aside.
 */
export interface GitGuard {
  /** Looks at the workspace already, so that `open` finds most of the work done. */
  readonly begin: (workRoots: readonly string[]) => Promise<void>;
  /** Call it before a command starts: everything that exists then is the user's own. */
  readonly open: (rules: WorkspaceRules) => Promise<void>;
  /**
   * Call it after the command, with the same rules. Returns one sentence about each thing that was
   * put aside.
   */
  readonly close: (rules: WorkspaceRules) => Promise<readonly string[]>;
  readonly dispose: () => void;
}

/** Bounds repeated looks while folders keep changing: their number, and the folders seen in all of them. */
const mostLooks = 5;
const mostLookedAt = 50_000;

export function createGitGuard(options: FolderTrackerOptions): GitGuard {
  let tracker: FolderTracker | null = null;
  let trackedRoots = "";
  let candidates: readonly string[] = [];
  let accepted: ReadonlySet<string> = new Set();
  let openCommands = 0;
  let wasWhole = true;
  let isDisposed = false;
  const inTurn = createTurns(() => tracker?.closeAgain());

  async function search(workRoots: readonly string[]): Promise<SearchResult> {
    if (tracker === null || trackedRoots !== workRoots.join("\0")) {
      tracker?.close();
      tracker = createFolderTracker(workRoots, options);
      trackedRoots = workRoots.join("\0");
    }
    const found = await tracker.search();
    candidates = found.candidates;
    return found;
  }

  function putAside(rules: WorkspaceRules): readonly string[] {
    const [found, intruders] = withKnownPaths(() => [
      inspect(candidates, rules),
      rules.git.mustStayAbsent.filter((path) => kindOf(path) !== "missing"),
    ]);
    const dangers = found.filter(({ id, path }) => !accepted.has(id) && !intruders.includes(path));
    return [...intruders.map(removeIntruder), ...removeDangers(dangers)];
  }

  return {
    begin: (workRoots) =>
      inTurn(async () => {
        if (tracker === null && !isDisposed && workRoots.length > 0) await search(workRoots);
      }),
    open: (rules) =>
      inTurn(async () => {
        if (rules.workRoots.length === 0) return;
        // While another command runs, anything new may come from it.
        if (tracker === null || openCommands === 0) wasWhole = (await search(rules.workRoots)).isWhole;
        if (openCommands === 0) {
          accepted = new Set(withKnownPaths(() => inspect(candidates, rules)).map(({ id }) => id));
        }
        openCommands += 1;
      }),
    close: (rules) =>
      inTurn(async () => {
        if (rules.workRoots.length === 0) return [];
        openCommands -= 1;
        const notices = new Set<string>();
        await lookUntilCalm(async () => {
          const found = await search(rules.workRoots);
          for (const notice of putAside(rules)) notices.add(notice);
          if (wasWhole && !found.isWhole) notices.add(tellBeyond(rules));
          return found;
        });
        return [...notices];
      }),
    dispose() {
      isDisposed = true;
      tracker?.close();
      tracker = null;
    },
  };
}

function inspect(candidates: readonly string[], rules: WorkspaceRules): readonly Danger[] {
  for (const gitFolder of rules.git.gitFolders) listEntries(gitFolder); // answers for the names in it
  const gitFolders = new Set([...rules.git.gitFolders, ...candidates.flatMap((path) => findGitFoldersAt(path, rules))]);
  const dangers = [
    ...[...gitFolders].flatMap((gitFolder) => inspectGitFolder(gitFolder, rules.workRoots)),
    ...candidates.flatMap((path) => inspectPointer(path, (named) => isWritable(named, rules))),
  ];
  return [...new Map(dangers.map((danger) => [danger.id, danger])).values()];
}

/** Commands may run at the same time; searches of the workspace may not. */
function createTurns(onEnd: () => void): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = turn.then(work).finally(onEnd);
    turn = result.catch(() => {});
    return result;
  };
}

/** Another program may move a folder from a place not yet searched to one already searched. */
async function lookUntilCalm(look: () => Promise<SearchResult>): Promise<void> {
  let lookedAt = 0;
  for (let looks = 0; looks < mostLooks && lookedAt < mostLookedAt; looks += 1) {
    const { isCalm, count } = await look();
    if (isCalm) return;
    lookedAt += count;
  }
}

/** Includes git folders elsewhere, as far as commands could have written them. */
function findGitFoldersAt(path: string, rules: WorkspaceRules): readonly string[] {
  const entry = readGitEntry(path);
  const own = isGitFolder(path) ? [path] : [];
  if (entry.type === "none") return own;
  const named = entry.gitFolder;
  const folders = named === null ? [] : [named, readCommonFolder(named)];
  return [...own, ...folders.filter((folder) => isWritable(folder, rules) && isGitFolder(folder))];
}

function isWritable(path: string, { rules }: WorkspaceRules): boolean {
  return rules.some((rule) => rule.type === "writable" && isInside(path, rule.path));
}

/** Someone who creates so many folders may want to hide something behind them. */
function tellBeyond({ workRoots }: WorkspaceRules): string {
  return `${workRoots.join(", ")} has come to hold more folders than are looked at: in those beyond, a later git outside the sandbox may run what a command put there.`;
}

function removeIntruder(path: string): string {
  return tell(path, "obey it", quarantine(path, null));
}

/** Removes several variables of one file together. */
function removeDangers(dangers: readonly Danger[]): readonly string[] {
  const ids = new Set(dangers.map(({ id }) => id));
  return [...Map.groupBy(dangers, ({ path }) => path)].map(([path, group]) => {
    const newPath = quarantine(path, group[0]?.repair?.((id) => ids.has(id)) ?? null);
    return tell(path, group.map(({ effect }) => effect).join(" and "), newPath);
  });
}

function tell(path: string, effect: string, newPath: string | null): string {
  const reason = `a later git outside the sandbox would ${effect}`;
  if (newPath === null) return `${path} could not be put aside; remove it before you use git there: ${reason}.`;
  return newPath === path ? `${path} was removed: ${reason}.` : `${path} was put aside as ${newPath}: ${reason}.`;
}
