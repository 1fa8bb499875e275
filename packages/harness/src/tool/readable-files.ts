import type { SandboxPolicy } from "@unroll/protocol";
import { isInside, toRealPath } from "./writable-roots.ts";

/** Tells which files the model may be shown: the same that a command in the sandbox may read. Takes real paths. */
export function createReadableFiles({ mode, denyRead }: SandboxPolicy): (realPath: string) => boolean {
  if (mode === "danger-full-access") return () => true;
  return (realPath) => !denyRead.flatMap(toRealPath).some((denied) => isInside(realPath, denied));
}
