import { noPathMemory, type PathMemory, statIfAny, withKnownPaths } from "@unroll/files";
import type { ProgramFile } from "@unroll/process-tree";
import type { CommandLimits, ConfinedPolicy } from "@unroll/protocol";
import { findLauncher } from "./find-launcher.ts";
import type { InnerCommand, LaunchPlan } from "./launch-plan.ts";
import { planBubblewrap, type ConfinementFacts } from "./linux/plan-bubblewrap.ts";
import { planLandlock } from "./linux/plan-landlock.ts";
import { planSeatbelt, type SeatbeltFacts } from "./macos/plan-seatbelt.ts";
import type { SandboxBackend } from "./sandbox-backend.ts";
import { readWorkspaceRules, type WorkspaceRules } from "./workspace-rules.ts";

interface Place {
  readonly policy: ConfinedPolicy;
  readonly backend: SandboxBackend;
  /** `$HOME` of the commands; null: they have none. */
  readonly home: string | null;
  /** Remembers places where no command can write. Absent: nothing does. */
  readonly paths?: Pick<PathMemory, "look">;
}

export interface Surroundings extends Place {
  /** The limits that the command sets for itself, without those that a control group enforces. */
  readonly limits: CommandLimits;
  /** The port at which the harness listens for this command; null: at none, since it gets a socket or reaches no host by name. */
  readonly proxyPort: number | null;
}

export type Confinement =
  | { readonly type: "confined"; readonly plan: LaunchPlan; readonly rules: WorkspaceRules }
  | Refusal;

interface Refusal {
  readonly type: "refused";
  /** A clause that says why, and what to do. */
  readonly reason: string;
}

/** Looks at the file system as it is now; changes nothing. */
export function confineCommand(command: InnerCommand, surroundings: Surroundings): Confinement {
  const { limits, proxyPort } = surroundings;
  return withKnownPaths(() => {
    const found = findMeans(surroundings);
    if (found.type === "refused") return found;
    const { rules, backend, hostLauncher } = found;
    const facts = {
      paths: surroundings.paths ?? noPathMemory,
      rules: rules.rules,
      networkAccess: surroundings.policy.network.type === "open",
      hostLauncher,
      proxyPort,
      limits,
      hasForeignRoot: found.foreignRoot !== null,
    };
    return { type: "confined", plan: planFor(command, facts, backend), rules };
  });
}

/**
 * Finds why every command is refused here, as a clause that also says what to do. Null: they can be confined. Like `confineCommand`, it
 * looks at the file system as it is now.
 */
export function findRefusal(place: Place): string | null {
  const found = withKnownPaths(() => findMeans(place));
  return found.type === "refused" ? found.reason : null;
}

type UsableBackend = Exclude<SandboxBackend, { readonly type: "unavailable" }>;

/** The means that confine commands of a policy here. */
interface ConfinementMeans {
  readonly type: "found";
  readonly rules: WorkspaceRules;
  readonly backend: UsableBackend;
  readonly foreignRoot: string | null;
  readonly hostLauncher: ProgramFile | null;
}

function findMeans({ policy, backend, home, paths = noPathMemory }: Place): ConfinementMeans | Refusal {
  if (backend.type === "unavailable") {
    const { reason, remedy } = backend;
    return refuse(`the sandbox mode is ${policy.mode}, and there is no sandbox here: ${reason} ${remedy}`.trimEnd());
  }
  if (backend.type === "landlock" && !policy.allowWeaker) {
    return refuse(`only a weaker sandbox can be had: ${backend.reason} To accept it, set sandbox.allow_weaker = true.`);
  }
  const rules = readWorkspaceRules(policy, { home, paths });
  if (rules.type === "unprotectable") return refuse(`${rules.path} ${rules.reason}.`);

  const foreignRoot = findForeignRoot(rules);
  const isRootLocked = backend.type === "bubblewrap" && backend.isRoot && !backend.withoutUserNamespace;
  if (foreignRoot !== null && isRootLocked) {
    return refuse(
      `${foreignRoot} belongs to another user, whose files root cannot write inside a user namespace. ` +
        "Run this program as that user, or give root the folder.",
    );
  }
  const needsLauncher = policy.network.type === "hosts" && backend.type !== "seatbelt";
  const perl = needsLauncher ? findHostLauncher(policy, backend) : null;
  if (typeof perl === "object" && perl !== null) return perl;
  return { type: "found", rules, backend, foreignRoot, hostLauncher: perl };
}

/** A folder of another user than root that commands work in; null: there is none. */
export function findForeignRoot({ workRoots }: WorkspaceRules): string | null {
  return workRoots.find((root) => statIfAny(root)?.uid !== 0) ?? null;
}

/** On Linux, hosts by name need a network namespace of the command's own, and a Perl that no command can replace. */
function findHostLauncher(policy: ConfinedPolicy, { type }: SandboxBackend): ProgramFile | Refusal {
  if (type !== "bubblewrap") {
    return refuse(
      `hosts by name (sandbox_workspace_write.network) need bubblewrap, or Seatbelt on macOS, and the sandbox here is ${type}. Remove that key, or approve the command to run outside the sandbox.`,
    );
  }
  const roots = policy.mode === "read-only" ? [] : policy.roots.map(({ path }) => path);
  return (
    findLauncher("perl", roots) ??
    refuse(
      "hosts by name (sandbox_workspace_write.network) need the system's perl, in a folder that commands cannot write. Install it (apt-get install perl-base, apk add perl or dnf install perl), or remove that key.",
    )
  );
}

function planFor(command: InnerCommand, facts: ConfinementFacts & SeatbeltFacts, backend: UsableBackend): LaunchPlan {
  switch (backend.type) {
    case "bubblewrap":
      return planBubblewrap(command, facts, backend);
    case "landlock":
      return planLandlock(command, facts, backend);
    case "seatbelt":
      return planSeatbelt(command, facts, backend);
  }
}

function refuse(reason: string): Refusal {
  return { type: "refused", reason };
}
