import { isInside } from "@unroll/files";
import { findOwnUser } from "@unroll/process-tree";
import { checkShape } from "@unroll/text";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ConfinedPolicy, GitAccess, NetworkAccess, SandboxPolicy } from "@unroll/protocol";
import { readGroupLimits } from "../group/read-group-limits.ts";
import { tryGroup } from "../group/try-group.ts";
import { confineCommand, findForeignRoot } from "../plan/confine-command.ts";
import type { BubblewrapBackend, SandboxBackend } from "../plan/sandbox-backend.ts";
import { canWrite } from "../policy/judge-path.ts";
import { describeLimits, type Groups } from "./describe-limits.ts";

/** How a policy confines commands on this machine, for the user. */
export interface SandboxExplanation {
  readonly backend: SandboxBackend["type"] | "none";
  /** Sentences. */
  readonly enforces: readonly string[];
  readonly doesNotEnforce: readonly string[];
  /**
   * The launcher and its arguments, without the command and its environment; empty if commands are
   * refused.
   */
  readonly launch: readonly string[];
  /** Why commands are refused and what to do, as a clause for after a colon; null: they are not refused. */
  readonly refusal: string | null;
  /** How to get the full sandbox instead of the weaker one; null: this is the full one, or no way is known. */
  readonly remedy: string | null;
}

export interface ExplainOptions {
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend;
  /** Where the command would start; absolute. */
  readonly cwd: string;
  /** The variables of the commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns a new unique id, such as a UUID. */
  readonly createId: () => string;
  /** Absent: the groups of this machine, tested with a process. */
  readonly groups?: Groups;
}

const neverEnforced = [
  "Commands read every file that you can read, except those in sandbox.deny_read.",
  "Processor time and disk space are not limited.",
];

const writeGaps = [
  "Commands may write workspace files that you run later: build files, package scripts, editor settings.",
  "Commands may write a file that also has a second name (hard link) outside the writable folders.",
];

const rootReads =
  "A writable folder belongs to another user, so root's commands keep the right to read files of every user.";

const boundProcGaps = [
  "No new /proc can be mounted here: commands read the command lines, limits and network connections of processes outside.",
  "Process ids that ps and pgrep print are not those that kill takes.",
];

/**
 * Explains what a sandbox enforces, what it does not, and how, in sentences for the user. Throws
 * `TypeError` for options of a wrong shape.
 */
export async function explainSandbox(options: ExplainOptions): Promise<SandboxExplanation> {
  checkShape("explainSandbox", options, {
    "policy.mode": "text",
    backend: "an object",
    cwd: "text",
    environment: "an object",
    createId: "a function",
  });
  const { policy, backend, cwd, environment, createId } = options;
  if (policy.mode === "danger-full-access") {
    const doesNotEnforce = ["Commands can do everything that you can do; sandbox.deny_read has no effect."];
    return { backend: "none", enforces: [], doesNotEnforce, launch: [], refusal: null, remedy: null };
  }
  const command = { argv: [], cwd, environment: {}, hasTerminal: false };
  const groups = options.groups ?? {
    around: readGroupLimits("/"),
    own: await tryGroup({ limits: policy.limits, id: createId() }),
  };
  const limits = groups.own.hold.processes === null ? policy.limits : { ...policy.limits, maxProcesses: null };
  const home = environment["HOME"] ?? null;
  const proxyPort = policy.network.type === "hosts" ? 0 : null; // each command has its own
  const confinement = confineCommand(command, { policy, backend, home, limits, proxyPort });
  if (confinement.type === "refused") {
    const { reason: refusal } = confinement;
    return { backend: backend.type, enforces: [], doesNotEnforce: [], launch: [], refusal, remedy: null };
  }
  const { file, args, inputs } = confinement.plan;
  const keepsRights =
    backend.type === "landlock" && findOwnUser().uid === 0 && findForeignRoot(confinement.rules) !== null;
  const inForce = describeLimits(policy, backend, groups);
  const launcherOptions =
    backend.type === "bubblewrap"
      ? Buffer.from(inputs[0] ?? [])
          .toString()
          .split("\0")
      : [];
  return {
    backend: backend.type,
    enforces: [...describeWalls(policy, backend), ...inForce.enforced],
    doesNotEnforce: [
      ...describeGaps(policy, backend),
      ...(keepsRights ? [rootReads] : []),
      ...inForce.missing,
      ...neverEnforced,
      ...(policy.mode === "read-only" ? [] : writeGaps),
    ],
    launch: insertBefore([file, ...args], "--args", launcherOptions.filter(Boolean)),
    refusal: null,
    remedy: (backend.type === "landlock" && backend.remedy) || null,
  };
}

function insertBefore(words: readonly string[], mark: string, inserted: readonly string[]): readonly string[] {
  const index = words.indexOf(mark);
  return index === -1 ? words : [...words.slice(0, index), ...inserted, ...words.slice(index)];
}

function describeWalls(policy: ConfinedPolicy, backend: SandboxBackend): readonly string[] {
  const isWeak = backend.type === "landlock";
  const { hidden } = policy;
  return [
    ...describeWrites(policy, isWeak),
    ...describeNetwork(policy.network),
    ...(hidden.length > 0 && !isWeak ? [`Commands cannot read ${hidden.join(", ")}.`] : []),
    ...(isWeak ? [] : hidden.filter((path) => !existsSync(path)).map(describeMissing)),
    ...(backend.type === "bubblewrap" ? [describeProcesses(backend)] : []),
  ];
}

function describeProcesses({ hasOwnProc }: BubblewrapBackend): string {
  const walls = hasOwnProc ? "cannot see or signal processes outside" : "cannot signal or look into processes outside";
  return `Commands ${walls}, and all of their processes end together.`;
}

function describeNetwork(network: NetworkAccess): readonly string[] {
  switch (network.type) {
    case "open":
      return [];
    case "closed":
      return ["Commands have no network, and no sockets of other programs."];
    case "hosts":
      return [
        `Commands reach only these hosts, by a proxy: ${network.allow.join(", ") || "none"}. You are asked about others, where somebody can answer.`,
        ...(network.deny.length > 0 ? [`They never reach ${network.deny.join(", ")}.`] : []),
        "They have no other network, and no sockets of other programs.",
      ];
  }
}

function describeMissing(path: string): string {
  return `${path} does not exist now. Once it does, commands that start after that cannot read it.`;
}

function describeWrites(policy: ConfinedPolicy, isWeak: boolean): readonly string[] {
  if (policy.mode === "read-only") return ["Commands cannot write any file."];
  const roots = policy.roots.map(({ path }) => path);
  const kept = policy.readOnly.map(({ path }) => path).filter((path) => roots.some((root) => isInside(path, root)));
  return [
    roots.length === 0 ? "Commands cannot write any file." : `Commands can write only in ${roots.join(", ")}.`,
    ...(kept.length === 0 || isWeak ? [] : [`Even there, they cannot write ${kept.join(", ")}.`]),
    describeGit(policy.git, isWeak),
  ];
}

function describeGit(git: GitAccess, isWeak: boolean): string {
  if (git === "protected" && !isWeak) return "Commands cannot write anything under .git.";
  return isWeak
    ? "After each command, files that would make a later git run something are put aside, and so is a new .codex or .agents."
    : "Git works. Its configuration and hooks cannot change, and files that would make a later git run something are put aside.";
}

function describeGaps(policy: ConfinedPolicy, backend: SandboxBackend): readonly string[] {
  const { network, hidden } = policy;
  const openNetwork = "The network is open, including every local socket, such as docker's.";
  const weak = [
    "This is the weaker sandbox: commands can write .git, .codex, .agents and unroll's own files,",
    "change file modes, owners and times outside the writable folders,",
    "and see other processes. A process that hides may outlive its command.",
    ...(network.type === "open" ? [] : ["They have no 127.0.0.1 of their own: nothing can listen there."]),
    ...(hidden.length > 0 ? ["sandbox.deny_read is not enforced."] : []),
  ];
  return [
    ...(network.type === "open" ? [openNetwork] : []),
    ...(backend.type === "landlock" ? weak : []),
    ...(backend.type === "bubblewrap" ? hidden.filter((path) => canWrite(policy, dirname(path))) : []).map(
      (path) => `${path} is hidden only until the file is replaced: commands may write the folder around it.`,
    ),
    ...(backend.type === "bubblewrap" && !backend.hasOwnProc ? boundProcGaps : []),
    ...(backend.type === "seatbelt" ? ["The macOS profile has never been run by its authors."] : []),
  ];
}
