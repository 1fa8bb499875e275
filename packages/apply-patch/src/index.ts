export { commitPlan } from "./commit/commit-plan.ts";
export { createMemoryPatchFiles } from "./memory-patch-files.ts";
export { parsePatch } from "./parse/parse-patch.ts";
export { PatchFilesError } from "./plan/patch-files-error.ts";
export { planPatch } from "./plan/plan-patch.ts";
export { readPlanned } from "./plan/read-planned.ts";
export { findPatchInArguments, findPatchInShell } from "./find-patch-in-shell.ts";
export { applyPatchCustomDescription, applyPatchFunctionDescription } from "./tool/apply-patch-description.ts";
export { applyPatchGrammar } from "./tool/apply-patch-grammar.ts";

export type { PatchApplied } from "./commit/commit-plan.ts";
export type { MemoryPatchFiles } from "./memory-patch-files.ts";
export type { ParseResult } from "./parse/parse-patch.ts";
export type { AddFilePatch, DeleteFilePatch, FilePatch, Hunk, HunkLine, Patch, UpdateFilePatch } from "./patch.ts";
export type { PatchFailure, PatchProblem } from "./patch-failure.ts";
export type { FilePermissions, PatchFiles, PatchFileStat, PatchFolder } from "./plan/patch-files.ts";
export type { PlannedChange, PatchPlan, PlannedWrite } from "./plan/patch-plan.ts";
export type { PlanOptions } from "./plan/plan-options.ts";
export type { ShellPatch } from "./find-patch-in-shell.ts";
