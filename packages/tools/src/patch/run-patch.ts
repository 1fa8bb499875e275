import {
  commitPlan,
  type FilePatch,
  parsePatch,
  type PatchFiles,
  type PatchPlan,
  planPatch,
} from "@unroll/apply-patch";
import type { FileChangeThreadItem, ItemStatus } from "@unroll/protocol";
import type { PatchGate } from "../port/patch-gate.ts";
import type { ToolContext, ToolResult } from "../tool/tool.ts";

export interface PatchPorts {
  readonly patchFiles: PatchFiles;
  readonly patchGate: PatchGate;
}

type Change = FileChangeThreadItem["changes"][number];

const KINDS = { "file.add": "add", "file.delete": "delete", "file.update": "update" } as const;

/** Checks a patch against the files, has it judged, and writes it: all of it or nothing. */
export async function runPatch(
  ports: PatchPorts,
  { text, cwd }: { readonly text: string; readonly cwd: string },
  context: ToolContext,
): Promise<ToolResult> {
  const parsed = parsePatch(text);
  if (parsed.type === "patch.failed") return { output: parsed.message };

  const { patchFiles, patchGate } = ports;
  const plan = await planPatch(parsed.patch, patchFiles, {
    cwd,
    isWritable: (path) => patchGate.isWritable(path),
    isReadable: (path) => patchGate.isReadable(path),
    signal: context.signal,
  });
  const isPlanned = plan.type === "patch.planned";
  const changes = isPlanned ? plan.changes : parsed.patch.files.map(toIntendedChange);
  const item: FileChangeThreadItem = {
    id: context.nextItemId(),
    type: "file_change",
    changes: changes.map(({ kind, path }) => ({ path: patchFiles.resolve(cwd, path), kind })),
    status: "in_progress",
  };
  if (isPlanned) return applyPlan(ports, { plan, item }, context);
  await complete(item, "failed", context);
  return { output: plan.message };
}

async function applyPlan(
  { patchFiles, patchGate }: PatchPorts,
  { plan, item }: { readonly plan: PatchPlan; readonly item: FileChangeThreadItem },
  context: ToolContext,
): Promise<ToolResult> {
  const { outsideWritableRoots } = plan;
  const verdict = await patchGate.judge({ changes: item.changes, outsideWritableRoots }, context.signal);
  if (verdict.type === "declined") {
    await complete(item, "declined", context);
    return { output: `The patch was not applied: ${verdict.message}` };
  }
  await context.emit({ type: "item.started", item });
  let status: ItemStatus = "failed";
  try {
    const result = await commitPlan(plan, patchFiles, context.signal);
    if (result.type === "patch.applied") status = "completed";
    return { output: result.message };
  } finally {
    await complete(item, status, context);
  }
}

function toIntendedChange(file: FilePatch): Change {
  const path = file.type === "file.update" ? (file.moveTo ?? file.path) : file.path;
  return { path, kind: KINDS[file.type] };
}

function complete(item: FileChangeThreadItem, status: ItemStatus, context: ToolContext): Promise<void> {
  return context.emit({ type: "item.completed", item: { ...item, status } });
}
