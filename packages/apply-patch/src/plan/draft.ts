import { clip } from "../diagnose/show-line.ts";
import type { PatchProblem } from "../patch-failure.ts";
import { followLink, locateEntry, type FileLocation, type Places } from "./locate-file.ts";
import type { FilePermissions } from "./patch-files.ts";
import type { PlanOptions } from "./plan-options.ts";

/** A file as the entries of the patch so far have left it. */
export interface Draft {
  readonly type: "draft";
  /** As the patch first writes it. */
  readonly path: string;
  readonly location: FileLocation;
  content: DraftContent;
  /** Its text is all the patch's own. */
  isAdded: boolean;
  /** The permissions of the file that it replaces; null: those of a new one. */
  permissions: FilePermissions | null;
  /** The draft that was moved here. */
  source: Draft | null;
}
type DraftContent =
  /** As on disk, which may be nothing. */
  | { readonly type: "content.original" }
  | { readonly type: "content.written"; readonly bytes: Uint8Array }
  | { readonly type: "content.removed" };

/** All drafts of a plan, by real path, in the order of the patch. */
export interface Planner extends Places {
  readonly options: PlanOptions;
  readonly drafts: Map<string, Draft>;
}

/**
 * The draft of `path`: with `entry` of what is at the path itself, with `target` of the file that a write to it
 * reaches, which is another one behind a symbolic link (unless an earlier entry of the patch did away with the link).
 */
export async function openDraft(
  planner: Planner,
  path: string,
  which: "entry" | "target",
): Promise<Draft | PatchProblem> {
  const { files, options, drafts } = planner;
  const entry = await locateEntry(planner, files.resolve(options.cwd, path));
  if (entry.type === "no.location") return unusable(path, entry.reason);
  const location = which === "entry" || drafts.has(entry.realPath) ? entry : await followLink(planner, entry);
  if (location.type === "no.location") return unusable(path, location.reason);
  const known = drafts.get(location.realPath);
  if (known !== undefined) return known;
  const draft: Draft = {
    type: "draft",
    path,
    location,
    content: { type: "content.original" },
    isAdded: false,
    permissions: location.stat?.type === "file" ? location.stat.permissions : null,
    source: null,
  };
  drafts.set(location.realPath, draft);
  return draft;
}

/** Why a draft cannot be removed or read: there is nothing, or nothing of that kind. Null when it can. */
export function refuseMissing({ content, location }: Draft): string | null {
  if (content.type === "content.written") return null;
  if (content.type === "content.removed") return "was removed or moved by an earlier part of this patch";
  return location.stat === null ? `does not exist (looked for at ${clip(location.realPath)})` : refuseKind(location);
}

/** Why new bytes cannot be put in a draft's place. Null when they can. */
export function refuseReplacing({ content, location }: Draft): string | null {
  if (content.type !== "content.original" || location.stat === null) return null;
  return refuseKind(location) ?? (location.stat.isWritable ? null : "is read-only");
}

function refuseKind({ stat }: FileLocation): string | null {
  if (stat?.type === "directory") return "is a folder";
  return stat?.type === "other" ? "is not a regular file but a pipe, socket or device" : null;
}

/** `reason` completes "<path> …". */
export function unusable(path: string, reason: string): PatchProblem {
  return { type: "file.unusable", path, message: `${clip(path)} ${reason}.` };
}
