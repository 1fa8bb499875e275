import type { SandboxPolicy } from "@unroll/protocol";
import { canRead } from "@unroll/sandbox";
import type { FileGate } from "@unroll/tools/node";

/** Refuses files that commands cannot read. */
export function toReadGate(policy: SandboxPolicy): FileGate {
  const hidden = policy.mode === "danger-full-access" ? [] : policy.hidden;
  return { canRead: (realPath) => canRead(policy, realPath), hidden, codexHome: null, project: null };
}
