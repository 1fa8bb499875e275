import type { SandboxPolicy } from "@unroll/protocol";
import type { PatchGate } from "@unroll/tools";
import type { WritableRoots } from "./writable-roots.ts";

/** Lets patches write what commands may write, and nothing else: there is nobody to ask. */
export function createPatchGate({ isWritable }: WritableRoots, policy: SandboxPolicy): PatchGate {
  return {
    isWritable,
    isReadable: () => true,
    judge: ({ outsideWritableRoots }) =>
      Promise.resolve(
        outsideWritableRoots.length === 0
          ? { type: "apply" }
          : { type: "declined", message: explain(outsideWritableRoots, policy) },
      ),
  };
}

function explain(paths: readonly string[], { mode }: SandboxPolicy): string {
  return `The sandbox mode ${mode} does not let ${paths.join(", ")} be written, and nobody is here to approve it. Change other files, or say in the end what was needed.`;
}
