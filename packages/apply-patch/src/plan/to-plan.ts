import type { Draft, Planner } from "./draft.ts";
import type { FileChange, PatchPlan, PlannedWrite } from "./patch-plan.ts";

/** What the drafts come to in the end: a file that was added and deleted again is no change. */
export function toPlan({ drafts, options }: Planner): PatchPlan {
  const changed = [...drafts.values()].filter(isChanged);
  const moved = new Set(changed.map((draft) => draft.source));
  const writes = changed.map(toWrite);
  const written = changed.filter((draft) => draft.content.type === "content.written");
  return {
    type: "patch.planned",
    changes: changed.filter((draft) => draft.content.type === "content.written" || !moved.has(draft)).map(toChange),
    writes,
    outsideWritableRoots: writes.map((write) => write.realPath).filter((path) => !options.isWritable(path)),
    newFolders: [...new Set(written.flatMap((draft) => draft.location.missingFolders))],
  };
}

function isChanged({ content, location }: Draft): boolean {
  return content.type === "content.written" || (content.type === "content.removed" && location.stat !== null);
}

function toWrite({ path, location, content, like }: Draft): PlannedWrite {
  return {
    path,
    realPath: location.realPath,
    version: location.stat?.version ?? null,
    bytes: content.type === "content.written" ? content.bytes : null,
    like,
  };
}

function toChange({ path, content, isAdded, source }: Draft): FileChange {
  if (content.type !== "content.written") return { kind: "delete", path, movedFrom: null };
  return { kind: isAdded ? "add" : "update", path, movedFrom: source?.path ?? null };
}
