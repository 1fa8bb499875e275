import { checkShape } from "@unroll/text";
import type { AddFilePatch, DeleteFilePatch, FilePatch, Patch, UpdateFilePatch } from "../patch.ts";
import { createFailure, problemLimit, type PatchFailure, type PatchProblem } from "../patch-failure.ts";
import { openDraft, refuseMissing, refuseReplacing, unusable, type Draft, type Planner } from "./draft.ts";
import { HeldFolders } from "./held-folders.ts";
import { PatchFilesError } from "./patch-files-error.ts";
import type { PatchFiles } from "./patch-files.ts";
import type { PatchPlan } from "./patch-plan.ts";
import type { PlanOptions } from "./plan-options.ts";
import { toPlan } from "./to-plan.ts";
import { updateText } from "./update-text.ts";

const defaultMaxFileBytes = 64 * 1024 * 1024;
const required = {
  "patch.files": "a list",
  files: "an object",
  "options.cwd": "text",
  "options.isWritable": "a function",
  "options.isReadable": "a function",
  "options.signal": "an object",
} as const;

/**
 * Plans the effect of `patch` on the files and writes nothing: alone it is the dry run. The parts
 * of the patch are taken in order, so one may build on another. `*** Add File:` and `*** Move to:`
 * replace an existing file, as in the Codex CLI. All problems are reported, not only the first. A
 * symbolic link means the file that it leads to. Everything that is judged and read lies in folders
 * that are held open; `commitPlan` opens the same ones.
 */
export async function planPatch(
  patch: Patch,
  files: PatchFiles,
  options: PlanOptions,
): Promise<PatchPlan | PatchFailure> {
  checkShape("planPatch", { patch, files, options }, required);
  await using folders = new HeldFolders(files);
  const planner: Planner = { files, folders, options, drafts: new Map() };
  const problems: PatchProblem[] = [];
  for (const file of patch.files) {
    options.signal.throwIfAborted();
    problems.push(...(await planFile(planner, file)));
    if (problems.length > problemLimit) break;
  }
  return problems.length > 0 ? createFailure(problems) : toPlan(planner);
}

async function planFile(planner: Planner, file: FilePatch): Promise<readonly PatchProblem[]> {
  try {
    if (file.type === "file.add") return await planAdd(planner, file);
    return file.type === "file.delete" ? await planDelete(planner, file) : await planUpdate(planner, file);
  } catch (error) {
    if (error instanceof PatchFilesError) return [unusable(file.path, `cannot be used: ${error.message}`)];
    throw error;
  }
}

async function planAdd(planner: Planner, { path, lines }: AddFilePatch): Promise<readonly PatchProblem[]> {
  const draft = await openDraft(planner, path, "target");
  if (draft.type !== "draft") return [draft];
  const refusal = refuseReplacing(draft);
  if (refusal !== null) return [unusable(path, refusal)];
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  draft.content = { type: "content.written", bytes };
  draft.isAdded = true;
  draft.source = null;
  return [];
}

async function planDelete(planner: Planner, { path }: DeleteFilePatch): Promise<readonly PatchProblem[]> {
  const draft = await openDraft(planner, path, "entry");
  if (draft.type !== "draft") return [draft];
  const refusal = refuseMissing(draft);
  if (refusal !== null) return [unusable(path, refusal)];
  draft.content = { type: "content.removed" };
  return [];
}

async function planUpdate(planner: Planner, patch: UpdateFilePatch): Promise<readonly PatchProblem[]> {
  const draft = await openDraft(planner, patch.path, "target");
  if (draft.type !== "draft") return [draft];
  const original = await readDraft(planner, draft);
  if (typeof original === "string") return [unusable(patch.path, original)];
  const bytes = updateText(original, patch);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (patch.moveTo !== null) return moveDraft(planner, draft, { path: patch.path, to: patch.moveTo, bytes });
  const refusal = refuseReplacing(draft);
  if (refusal !== null) return [unusable(patch.path, refusal)];
  draft.content = { type: "content.written", bytes };
  return [];
}

/** The bytes of a draft, or why they cannot be read. */
async function readDraft({ options }: Planner, draft: Draft): Promise<Uint8Array | string> {
  const { realPath, name, folder, stat } = draft.location;
  if (draft.content.type === "content.written") return draft.content.bytes;
  const refusal = refuseMissing(draft);
  if (refusal !== null || stat === null) return refusal ?? "does not exist";
  if (!options.isReadable(realPath)) return "may not be read";
  const limit = options.maxFileBytes ?? defaultMaxFileBytes;
  if (stat.size > limit) return `has ${stat.size} bytes; files of at most ${limit} bytes are patched`;
  return folder.readFile(name, stat);
}

/** Moves what is at `path`: of a symbolic link the text goes along, and the link is what is removed. */
async function moveDraft(
  planner: Planner,
  draft: Draft,
  move: { readonly path: string; readonly to: string; readonly bytes: Uint8Array },
): Promise<readonly PatchProblem[]> {
  const source = await openDraft(planner, move.path, "entry");
  if (source.type !== "draft") return [source];
  const target = await openDraft(planner, move.to, "target");
  if (target.type !== "draft") return [target];
  const refusal = refuseReplacing(target);
  if (refusal !== null) return [unusable(move.to, refusal)];
  const origin = source.isAdded ? null : (source.source ?? source);
  source.content = { type: "content.removed" };
  target.content = { type: "content.written", bytes: move.bytes };
  target.isAdded = source.isAdded;
  target.permissions = draft.permissions;
  target.source = target === origin ? null : origin;
  return [];
}
