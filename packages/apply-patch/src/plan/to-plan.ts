import type { Draft, Planner } from "./draft.ts";
import { realPathOf } from "./locate-file.ts";
import type { PlannedChange, PatchPlan, PlannedFolder, PlannedWrite } from "./patch-plan.ts";

/** The final result of the drafts. A file that was added and deleted again does not change. */
export function toPlan({ drafts, options }: Planner): PatchPlan {
  const changed = [...drafts.values()].filter(isChanged);
  const moved = new Set(changed.map((draft) => draft.source));
  const writes = changed.map(toWrite);
  return {
    type: "patch.planned",
    changes: changed.filter((draft) => draft.content.type === "content.written" || !moved.has(draft)).map(toChange),
    writes,
    outsideWritableRoots: writes.map((write) => write.realPath).filter((path) => !options.isWritable(path)),
    folders: listFolders(changed),
  };
}

function isChanged({ content, location }: Draft): boolean {
  return content.type === "content.written" || (content.type === "content.removed" && location.stat !== null);
}

/** Existing folders first. */
function listFolders(drafts: readonly Draft[]): readonly PlannedFolder[] {
  const existing = drafts.map(({ location }) => [location.folder.realPath, location.folder.identity] as const);
  const missing = drafts.flatMap(({ location }) => location.missingFolders.map((path) => [path, null] as const));
  return [...new Map<string, string | null>([...existing, ...missing])].map(([realPath, identity]) => ({
    realPath,
    identity,
  }));
}

function toWrite({ path, location, content, permissions }: Draft): PlannedWrite {
  return {
    path,
    realPath: location.realPath,
    folder: realPathOf(location),
    name: location.name,
    before: location.stat,
    bytes: content.type === "content.written" ? content.bytes : null,
    permissions,
  };
}

function toChange({ path, content, isAdded, source }: Draft): PlannedChange {
  if (content.type !== "content.written") return { kind: "delete", path, movedFrom: null };
  return { kind: isAdded ? "add" : "update", path, movedFrom: source?.path ?? null };
}
