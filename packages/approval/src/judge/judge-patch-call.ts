import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import type { GatedPatch } from "@unroll/tools";
import { type Judgement, type JudgePlace, runInside } from "./judgement.ts";
import { policyTraits } from "../policy/policy-traits.ts";

export interface PatchRules {
  readonly approvalPolicy: ApprovalPolicy;
  readonly sandboxMode: SandboxMode;
  readonly findEdits: () => EditScope;
}

/** The files that one answer for all patches of a thread may cover. */
export interface EditScope {
  /** Absolute; empty: nothing. */
  readonly folders: readonly string[];
  /** Whether it covers a file. `realPath` is absolute with every link followed. */
  readonly covers: (realPath: string) => boolean;
}

/** Lets patches write what commands may write in the sandbox; the rest is asked about, and under `untrusted` each patch. */
export function judgePatchCall(
  { changes, diff, outsideRoots }: GatedPatch,
  { approvalPolicy, sandboxMode, findEdits }: PatchRules,
  place: JudgePlace,
): Judgement {
  const isWary = policyTraits[approvalPolicy].isWary;
  if (outsideRoots.length === 0 && !isWary) return runInside;
  const asker = outsideRoots.length > 0 ? explainRoots(sandboxMode, outsideRoots) : explainWary(approvalPolicy);
  const files = isWary ? changes.map(({ path }) => ["file", path, "changed"]) : [];
  const edits = findEdits();
  const editFolders = outsideRoots.every(edits.covers) ? edits.folders : [];
  return {
    type: "ask",
    question: { type: "patch.approval", ...place, ...asker, changes, diff, outsideRoots, editFolders },
    verdict: runInside,
    kept: [...files, ...outsideRoots.map((path) => ["file", path, "outside"])],
  };
}

interface Asker {
  readonly askedBy: string;
  readonly reason: string;
}

function explainWary(policy: ApprovalPolicy): Asker {
  const asker = `approval policy ${policy}`;
  return { askedBy: asker, reason: `The ${asker} asks before files are changed.` };
}

function explainRoots(mode: SandboxMode, outsideRoots: readonly string[]): Asker {
  const reason = `The sandbox mode ${mode} does not let a patch write ${outsideRoots.join(", ")} without approval.`;
  return { askedBy: `sandbox mode ${mode}`, reason };
}
