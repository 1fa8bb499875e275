import { isAbsolute } from "node:path";
import { resolveIfAny } from "@unroll/files";
import type { ProbeOptions } from "./probe-options.ts";

/** Folders that commands write, or that commands of another thread may have written. */
export function listWritable({ policy, cwd, environment }: ProbeOptions): readonly string[] {
  const roots = policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path) : [];
  const shared = [cwd, "/tmp", environment["TMPDIR"] ?? ""].filter(isAbsolute);
  return [...roots, ...shared.flatMap((path) => resolveIfAny(path) ?? [])];
}
