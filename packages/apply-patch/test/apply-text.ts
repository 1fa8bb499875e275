import {
  commitPlan,
  parsePatch,
  planPatch,
  type PatchApplied,
  type PatchFailure,
  type PatchFiles,
  type PlanOptions,
} from "@unroll/apply-patch";

/** Options under which everything below `/project` may be written and everything read. */
export const openOptions: PlanOptions = {
  cwd: "/project",
  isWritable: (path) => path.startsWith("/project/"),
  isReadable: () => true,
  signal: new AbortController().signal,
};

/** Parses, plans and commits, as a tool does when nothing needs an approval. */
export async function applyText(text: string, files: PatchFiles): Promise<PatchApplied | PatchFailure> {
  const parsed = parsePatch(text);
  if (parsed.type === "patch.failed") return parsed;
  const plan = await planPatch(parsed.patch, files, openOptions);
  return plan.type === "patch.failed" ? plan : commitPlan(plan, files, openOptions.signal);
}

/** Hunks for one file as a whole patch. */
export function updatePatch(path: string, ...lines: readonly string[]): string {
  return wholePatch(`*** Update File: ${path}`, ...lines);
}

export function wholePatch(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}
