import {
  commitPlan,
  type FilePatch,
  parsePatch,
  type PatchFailure,
  type PatchFiles,
  type PatchPlan,
  planPatch,
} from "@unroll/apply-patch";
import type { FileChangeThreadItem } from "@unroll/protocol";
import { pluralize, type SecretMask } from "@unroll/text";
import type { PathAccess } from "../port/path-access.ts";
import type { CallContext, CallEnd, PlanContext, PlannedCall, RejectedCall } from "../tool/tool.ts";
import { maskPatch } from "./mask-patch.ts";
import { capText } from "../output/cap-text.ts";
import { renderPlanDiff } from "./render-plan-diff.ts";

/** Limit of the diff in the item; a question shows all of it. */
const maxItemDiffBytes = 65_536;

/** Context for planning and writing a patch. */
export interface PatchPorts {
  readonly patchFiles: PatchFiles;
  readonly access: PathAccess;
  /** As of `CommandPorts`. */
  readonly secrets?: SecretMask;
}

export interface PatchText {
  readonly text: string;
  /** Absolute; what the patch's relative paths are against. */
  readonly cwd: string;
}

const kinds = { "file.add": "add", "file.delete": "delete", "file.update": "update" } as const;

/** Checks a patch against the files; run, it writes all of it or nothing. */
export async function planPatchCall(
  ports: PatchPorts,
  { text, cwd }: PatchText,
  { itemId, signal }: PlanContext,
): Promise<PlannedCall | RejectedCall> {
  const { patchFiles, access } = ports;
  const parsed = parsePatch(text);
  if (parsed.type === "patch.failed") return { type: "call.rejected", message: parsed.message };

  const masked = maskPatch(ports, { patch: parsed.patch, text });
  const plan = await planPatch(masked.patch, masked.files, {
    cwd,
    isWritable: access.judgeWrites(),
    isReadable: (path) => access.canRead(path),
    signal,
  });
  const changes = plan.type === "patch.planned" ? plan.changes : parsed.patch.files.map(toIntendedChange);
  const resolve = (path: string): string => patchFiles.resolve(cwd, path);
  const item: FileChangeThreadItem = {
    id: itemId,
    type: "file_change",
    cwd,
    changes: changes.map(({ kind, path, movedFrom: from }) => {
      return { path: resolve(path), kind, ...(from === null ? {} : { moved_from: resolve(from) }) };
    }),
    status: "in_progress",
  };
  if (plan.type === "patch.failed") {
    return { type: "call.rejected", message: plan.message, item: { ...item, status: "failed", reason: explain(plan) } };
  }
  const diff = await renderPlanDiff(plan, { patchFiles: masked.files, access });
  const restored = await masked.restore(plan);
  if (restored.type === "standins.refused") {
    const { message, reason } = restored;
    return { type: "call.rejected", message, item: { ...item, status: "failed", reason } };
  }
  return {
    type: "call.planned",
    gated: { type: "patch", changes: item.changes, diff, outsideRoots: plan.outsideWritableRoots },
    item: { ...item, diff: capText(diff, maxItemDiffBytes) },
    refusal: "The patch was not applied",
    run: (_verdict, context) => applyPlan(patchFiles, restored, context),
  };
}

async function applyPlan(files: PatchFiles, plan: PatchPlan, { signal }: CallContext): Promise<CallEnd> {
  const result = await commitPlan(plan, files, signal);
  return { answer: result.message, ...(result.type === "patch.failed" && { fault: explain(result) }) };
}

/** For you: the first problem, without lines of the files. */
function explain({ problems }: PatchFailure): string {
  const [first = "The patch was not applied."] = problems.map(({ message }) => toFirstLine(message));
  return problems.length > 1 ? `${first} (and ${pluralize(problems.length - 1, "more problem")})` : first;
}

/** Without a sentence that announces the lines below. */
function toFirstLine(message: string): string {
  const [line = message] = message.split("\n", 1);
  return line.replace(/(?<=\.) [^.]*:$/, "");
}

function toIntendedChange(file: FilePatch): PatchPlan["changes"][number] {
  const kind = kinds[file.type];
  if (file.type !== "file.update" || file.moveTo === null) return { path: file.path, kind, movedFrom: null };
  return { path: file.moveTo, kind, movedFrom: file.path };
}
