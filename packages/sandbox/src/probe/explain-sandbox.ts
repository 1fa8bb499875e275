import { isInside } from "@unroll/files";
import { checkShape } from "@unroll/text";
import { dirname } from "node:path";
import type { ConfinedPolicy, GitAccess, SandboxPolicy } from "@unroll/protocol";
import { readGroupLimits } from "../group/read-group-limits.ts";
import { tryGroup } from "../group/try-group.ts";
import { confineCommand } from "../plan/confine-command.ts";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import { canWrite } from "../policy/judge-path.ts";
import { describeLimits, type Groups } from "./describe-limits.ts";

/** What stands around commands under a policy, for a person. */
export interface SandboxExplanation {
  readonly backend: SandboxBackend["type"] | "none";
  /** Sentences. */
  readonly enforces: readonly string[];
  readonly doesNotEnforce: readonly string[];
  /** What a command is started with, but for the command itself and its environment; nothing when it would be refused. */
  readonly launch: readonly string[];
  /** Why commands are refused, and what to do: a clause for after a colon. Null when they are not. */
  readonly refusal: string | null;
}

export interface ExplainOptions {
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend;
  /** Where the command would start; absolute. */
  readonly cwd: string;
  /** Of the commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
  /** As they are here, unless given: tried out with a process. */
  readonly groups?: Groups;
}

const neverEnforced = [
  "Commands read every file that you can read, but for those in sandbox.deny_read.",
  "What commands write in the workspace is code that you may run later: build files, package scripts, editor settings.",
  "There are no limits on processor and disk.",
  "A file that already has a second name (hard link) outside of the writable folders is written through it.",
];

/** What a sandbox enforces, what it does not, and by what: for a person. */
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
    const doesNotEnforce = ["Commands do whatever you can do, sandbox.deny_read included."];
    return { backend: "none", enforces: [], doesNotEnforce, launch: [], refusal: null };
  }
  const command = { argv: [], cwd, environment: {}, hasTerminal: false };
  const groups = options.groups ?? {
    around: readGroupLimits("/"),
    own: await tryGroup({ limits: policy.limits, id: createId() }),
  };
  const limits = groups.own.hold.processes === null ? policy.limits : { ...policy.limits, maxProcesses: null };
  const confinement = confineCommand(command, { policy, backend, home: environment["HOME"] ?? null, limits });
  if (confinement.type === "refused") {
    return { backend: backend.type, enforces: [], doesNotEnforce: [], launch: [], refusal: confinement.reason };
  }
  const { file, args, inputs } = confinement.plan;
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
    doesNotEnforce: [...describeGaps(policy, backend), ...inForce.missing, ...neverEnforced],
    launch: insertBefore([file, ...args], "--args", launcherOptions.filter(Boolean)),
    refusal: null,
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
    ...(policy.network.type === "open" ? [] : ["Commands reach no network and no socket of another program."]),
    ...(hidden.length > 0 && !isWeak ? [`Commands cannot read ${hidden.join(", ")}.`] : []),
    ...(backend.type === "bubblewrap"
      ? ["Commands neither see nor signal processes outside, and all end together."]
      : []),
  ];
}

function describeWrites(policy: ConfinedPolicy, isWeak: boolean): readonly string[] {
  if (policy.mode === "read-only") return ["Commands write no file."];
  const roots = policy.roots.map(({ path }) => path);
  const kept = policy.readOnly.map(({ path }) => path).filter((path) => roots.some((root) => isInside(path, root)));
  return [
    roots.length === 0 ? "Commands write no file." : `Commands write only in ${roots.join(", ")}.`,
    ...(kept.length === 0 || isWeak ? [] : [`Even there they do not write ${kept.join(", ")}.`]),
    describeGit(policy.git, isWeak),
  ];
}

function describeGit(git: GitAccess, isWeak: boolean): string {
  if (git === "protected" && !isWeak) return "Nothing under .git is written.";
  return isWeak
    ? "After each command, what would make a later git run something is put aside, and a new .codex or .agents too."
    : "Git works; its configuration and hooks stay as they are, and what would make a later git run something is put aside.";
}

function describeGaps(policy: ConfinedPolicy, backend: SandboxBackend): readonly string[] {
  const { network, hidden } = policy;
  const openNetwork = "The network is open, and with it every local socket, such as docker's.";
  const weak = [
    "This is the weaker sandbox: .git, .codex, .agents and this program's own files may be written,",
    "file modes, owners and times may be changed outside of the writable folders,",
    "other processes can be seen, and a process that hides may outlive its command.",
    ...(hidden.length > 0 ? ["sandbox.deny_read is not enforced."] : []),
  ];
  return [
    ...(network.type === "open" ? [openNetwork] : []),
    ...(backend.type === "landlock" ? weak : []),
    ...(backend.type === "bubblewrap" ? hidden.filter((path) => canWrite(policy, dirname(path))) : []).map(
      (path) => `${path} is hidden only until somebody replaces it: commands may write the folder around it.`,
    ),
    ...(backend.type === "seatbelt" ? ["On macOS the profile was never run by its authors."] : []),
  ];
}
