import { type PatchFiles, type PatchPlan, type PlannedWrite, readPlanned } from "@unroll/apply-patch";
import type { PathAccess } from "../port/path-access.ts";

/** A file before or after a patch. */
type Side =
  | { readonly type: "side.text"; readonly text: string }
  | { readonly type: "side.absent" }
  /** `reason` completes "it …". */
  | { readonly type: "side.hidden"; readonly reason: string };

interface DiffFiles {
  readonly patchFiles: PatchFiles;
  readonly access: PathAccess;
}

/** A change of one file: from what, to what. */
interface FileDiff {
  readonly from: PlannedWrite;
  readonly to: PlannedWrite;
}

/** A larger file would have to be compared in the memory of this process. */
const maxFileBytes = 16_777_216;
/** Finding more lines that differ takes a tenth of a second and more. */
const maxEdits = 1_000;
const noFile = "/dev/null";

/**
 * A unified diff of everything that a plan would write, for an approval: nothing is cut. Parts that
 * may not be shown say so in brackets.
 */
export async function renderPlanDiff(plan: PatchPlan, files: DiffFiles): Promise<string> {
  const pieces: string[] = [];
  for (const change of listFileDiffs(plan)) pieces.push(await renderFileDiff(change, files));
  return pieces.join("");
}

/** A file that moves to a new place is compared with what it was; any other, also one that it replaces, with itself. */
function listFileDiffs({ changes, writes }: PatchPlan): readonly FileDiff[] {
  const sources = new Map(changes.map(({ path, movedFrom }) => [path, movedFrom]));
  const removed = new Map(writes.filter(({ bytes }) => bytes === null).map((write) => [write.path, write]));
  const diffs = writes.map((to): FileDiff => {
    const source = removed.get(sources.get(to.path) ?? "");
    return { from: source && to.before === null ? source : to, to };
  });
  const moved = new Set(diffs.flatMap(({ from, to }) => (from === to ? [] : [from])));
  return diffs.filter(({ to }) => to.bytes !== null || !moved.has(to));
}

async function renderFileDiff({ from, to }: FileDiff, files: DiffFiles): Promise<string> {
  const before = await readBefore(from, files);
  const after = to.bytes === null ? ({ type: "side.absent" } as const) : toSide(to.bytes);
  const oldName = before.type === "side.absent" ? noFile : from.realPath;
  const newName = after.type === "side.absent" ? noFile : to.realPath;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const compare = (oldText: string, newText: string): string | null =>
    createTwoFilesPatch(oldName, newName, oldText, newText, undefined, undefined, {
      context: 3,
      // nothing to search where one side is empty: all lines were added or removed
      maxEditLength: oldText === "" || newText === "" ? Infinity : maxEdits,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? null;
  const notes = [noteOn("before the patch", before), noteOn("after it", after)].join("");
  const diff = compare(textOf(before), textOf(after)) ?? renderRewritten(compare("", ""), textOf(after));
  return diff + notes;
}

/** Too much differs to tell what: the new text alone. */
function renderRewritten(header: string | null, text: string): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return `${header ?? ""}[more than ${maxEdits} lines differ: the file is rewritten as]\n${lines.map((line) => `+${line}\n`).join("")}`;
}

async function readBefore(file: PlannedWrite, { patchFiles, access }: DiffFiles): Promise<Side> {
  const { before, realPath } = file;
  if (before === null) return { type: "side.absent" };
  if (before.type !== "file") return { type: "side.hidden", reason: "is no regular file" };
  if (!access.canRead(realPath)) return { type: "side.hidden", reason: "may not be read" };
  if (before.size > maxFileBytes) return { type: "side.hidden", reason: `has ${before.size} bytes` };
  const bytes = await readPlanned(patchFiles, file);
  return bytes === null ? { type: "side.hidden", reason: "has changed or cannot be read" } : toSide(bytes);
}

function toSide(bytes: Uint8Array): Side {
  if (bytes.length > maxFileBytes) return { type: "side.hidden", reason: `has ${bytes.length} bytes` };
  if (bytes.includes(0)) return { type: "side.hidden", reason: `is binary, of ${bytes.length} bytes` };
  return { type: "side.text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
}

function textOf(side: Side): string {
  return side.type === "side.text" ? side.text : "";
}

function noteOn(when: string, side: Side): string {
  return side.type === "side.hidden" ? `[not shown: ${when} the file ${side.reason}]\n` : "";
}
