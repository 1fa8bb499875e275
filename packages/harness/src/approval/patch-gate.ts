import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import type { PatchGate, PatchRequest } from "@unroll/tools";
import type { WritableRoots } from "./writable-roots.ts";
import type { ApprovalPort } from "./approval-port.ts";
import { explainDenial } from "./explain-denial.ts";
import { refuseUnattended, toUnattended } from "./unattended.ts";

export interface PatchGateOptions {
  readonly roots: WritableRoots;
  /** As of `PatchGate`. */
  readonly isReadable: (realPath: string) => boolean;
  readonly approvalPolicy: ApprovalPolicy;
  readonly sandboxMode: SandboxMode;
  /** Null: there is nobody to ask. */
  readonly approvals: ApprovalPort | null;
}

/** Lets patches write what commands may write in the sandbox, and asks a person about the rest. */
export function createPatchGate(options: PatchGateOptions): PatchGate {
  const { roots, approvals, sandboxMode } = options;
  const approvalPolicy = approvals === null ? toUnattended(options.approvalPolicy) : options.approvalPolicy;
  const approvedInSession = new Set<string>();

  function findQuestion({ outsideWritableRoots }: PatchRequest): string | null {
    const open = outsideWritableRoots.filter((path) => !approvedInSession.has(path));
    if (open.length > 0) return `The sandbox mode ${sandboxMode} does not let ${open.join(", ")} be written.`;
    return approvalPolicy === "untrusted" && sandboxMode !== "danger-full-access"
      ? "The approval policy untrusted asks before files are changed."
      : null;
  }

  return {
    isWritable: (path) => roots.isWritable(path),
    isReadable: options.isReadable,
    async judge(request, signal) {
      const reason = findQuestion(request);
      if (reason === null) return { type: "apply" };
      if (approvals === null || approvalPolicy === "never")
        return { type: "declined", message: refuseUnattended(reason) };
      const askedBy = `sandbox mode ${sandboxMode}`;
      const decision = await approvals.decide({ type: "patch.approval", ...request, askedBy, reason }, signal);
      if (decision.type === "denied") return { type: "declined", message: explainDenial(decision.reason) };
      if (decision.type === "approved.session")
        request.outsideWritableRoots.forEach((path) => approvedInSession.add(path));
      return { type: "apply" };
    },
  };
}
