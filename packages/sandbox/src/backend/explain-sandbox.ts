import type { SandboxPolicy } from "@unroll/protocol";
import { confineCommand } from "../plan/confine-command.ts";
import { toWorkspace } from "../rules/workspace.ts";
import type { SandboxBackend } from "./sandbox-backend.ts";

/** What stands around commands under a policy, for a person. */
export interface SandboxExplanation {
  readonly backend: SandboxBackend["type"] | "none";
  /** Sentences. */
  readonly enforces: readonly string[];
  readonly doesNotEnforce: readonly string[];
  /** What a command is started with, but for the command itself and its environment; nothing when it would be refused. */
  readonly launch: readonly string[];
  /** Why commands are refused; nothing when they are not. */
  readonly refusal: string | undefined;
}

export interface ExplainOptions {
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend;
  /** As in `SandboxSetting`. */
  readonly workspace: string;
  readonly stateFolder: string;
  readonly readOnlyFolders?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const NEVER_ENFORCED = [
  "Commands read every file that you can read, but for those in sandbox.deny_read.",
  "What commands write in the workspace is code that you may run later: build files, package scripts, editor settings.",
  "There are no limits on processor, memory, disk and number of processes.",
  "A file that already has a second name (hard link) outside of the writable folders is written through it.",
];

export function explainSandbox(options: ExplainOptions): SandboxExplanation {
  const { policy, backend } = options;
  if (policy.mode === "danger-full-access") {
    const doesNotEnforce = ["Commands do whatever you can do, sandbox.deny_read included."];
    return { backend: "none", enforces: [], doesNotEnforce, launch: [], refusal: undefined };
  }
  const workspace = toWorkspace(options, options.environment);
  const command = { argv: [], cwd: options.workspace, environment: {}, hasTerminal: false };
  const confinement = confineCommand(command, { policy, backend, workspace });
  if (confinement.type === "refused") {
    return { backend: backend.type, enforces: [], doesNotEnforce: [], launch: [], refusal: confinement.message };
  }
  const { file, args, inputs } = confinement.plan;
  const launcherOptions =
    backend.type === "bubblewrap"
      ? Buffer.from(inputs[0] ?? [])
          .toString()
          .split("\0")
      : [];
  return {
    backend: backend.type,
    enforces: describeWalls(policy, backend),
    doesNotEnforce: [...describeGaps(policy, backend), ...NEVER_ENFORCED],
    launch: [file, ...launcherOptions.filter(Boolean), ...args],
    refusal: undefined,
  };
}

function describeWalls(
  { mode, networkAccess, git, denyRead }: SandboxPolicy,
  backend: SandboxBackend,
): readonly string[] {
  const hasNetwork = mode === "workspace-write" && networkAccess;
  const isWeak = backend.type === "landlock";
  return [
    mode === "read-only"
      ? "Commands write no file."
      : "Commands write only in the workspace, the folders in writable_roots, and the temporary folders.",
    ...(mode === "workspace-write" && !isWeak ? [".codex and .agents at the top of these stay as they are."] : []),
    ...(mode === "workspace-write" ? [describeGit(git, isWeak)] : []),
    ...(hasNetwork ? [] : ["Commands reach no network and no socket of another program."]),
    ...(denyRead.length > 0 && !isWeak ? [`Commands cannot read ${denyRead.join(", ")}.`] : []),
    ...(backend.type === "bubblewrap"
      ? ["Commands neither see nor signal processes outside, and all end together."]
      : []),
  ];
}

function describeGit(git: SandboxPolicy["git"], isWeak: boolean): string {
  if (git === "protected" && !isWeak) return "Nothing under .git is written.";
  return isWeak
    ? "After each command, what would make a later git run something is put aside."
    : "Git works; its configuration and hooks stay as they are, and what would make a later git run something is put aside.";
}

function describeGaps({ mode, networkAccess, denyRead }: SandboxPolicy, backend: SandboxBackend): readonly string[] {
  const openNetwork = "The network is open, and with it every local socket, such as docker's.";
  const weak = [
    "This is the weaker sandbox: .git, .codex and .agents may be written,",
    "file modes, owners and times may be changed outside of the writable folders,",
    "other processes can be seen, and a process that hides may outlive its command.",
    ...(denyRead.length > 0 ? ["sandbox.deny_read is not enforced."] : []),
  ];
  return [
    ...(mode === "workspace-write" && networkAccess ? [openNetwork] : []),
    ...(backend.type === "landlock" ? weak : []),
    ...(backend.type === "seatbelt" ? ["On macOS the profile was never run by its authors."] : []),
  ];
}
