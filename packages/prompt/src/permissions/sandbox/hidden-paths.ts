import type { SandboxPolicy } from "@unroll/protocol";
import { listPaths } from "../list-paths.ts";

/** The paragraphs on what cannot be read: none or one. */
export function describeHiddenPaths({ denyRead }: SandboxPolicy): readonly string[] {
  if (denyRead.length === 0) return [];
  return [
    `Hidden from commands, on purpose, because secrets may lie there; leave them alone and do not look for copies:\n${listPaths(denyRead)}`,
  ];
}
