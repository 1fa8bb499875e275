import { statSync } from "node:fs";
import type { SandboxPolicy } from "@unroll/protocol";
import type { SandboxBackend } from "../backend/sandbox-backend.ts";
import { planBubblewrap, type ConfinementFacts } from "../linux/plan-bubblewrap.ts";
import { planLandlock } from "../linux/plan-landlock.ts";
import { planSeatbelt } from "../macos/plan-seatbelt.ts";
import type { Workspace } from "../rules/workspace.ts";
import { readWorkspaceRules, type WorkspaceRules } from "../rules/workspace-rules.ts";
import type { InnerCommand, LaunchPlan } from "./launch-plan.ts";

export interface Surroundings {
  readonly policy: SandboxPolicy;
  readonly workspace: Workspace;
  readonly backend: SandboxBackend;
}

export type Confinement =
  | { readonly type: "confined"; readonly plan: LaunchPlan; readonly rules: WorkspaceRules }
  /** `message` says what to do. */
  | { readonly type: "refused"; readonly message: string };

/** Looks at the file system as it is now; changes nothing. */
export function confineCommand(command: InnerCommand, { policy, workspace, backend }: Surroundings): Confinement {
  if (backend.type === "unavailable") {
    return refuse(
      `the sandbox mode is ${policy.mode}, and there is no sandbox here: ${backend.reason} ${backend.remedy}`,
    );
  }
  if (backend.type === "landlock" && !policy.allowWeaker) {
    return refuse(`only a weaker sandbox can be had: ${backend.reason} To accept it, set sandbox.allow_weaker = true.`);
  }
  const rules = readWorkspaceRules(policy, workspace);
  if (rules.type === "unprotectable") {
    return refuse(`${rules.path} is a symlink, which cannot be protected. Replace it by what it points to.`);
  }
  const facts: ConfinementFacts = {
    rules: rules.rules,
    networkAccess: policy.mode === "workspace-write" && policy.networkAccess,
    hasForeignRoot: rules.workRoots.some((root) => statSync(root).uid !== 0),
  };
  if (facts.hasForeignRoot && backend.type === "bubblewrap" && backend.isRoot && !backend.withoutUserNamespace) {
    return refuse(
      `${workspace.folder} belongs to another user, whose files root cannot write inside a user namespace. ` +
        "Run this program as that user, or give root the folder.",
    );
  }
  return { type: "confined", plan: planFor(command, facts, backend), rules };
}

function planFor(
  command: InnerCommand,
  facts: ConfinementFacts,
  backend: Exclude<SandboxBackend, { readonly type: "unavailable" }>,
): LaunchPlan {
  switch (backend.type) {
    case "bubblewrap":
      return planBubblewrap(command, facts, backend);
    case "landlock":
      return planLandlock(command, facts, backend);
    case "seatbelt":
      return planSeatbelt(command, facts, backend);
  }
}

function refuse(reason: string): Confinement {
  return { type: "refused", message: `The command was not run: ${reason}` };
}
