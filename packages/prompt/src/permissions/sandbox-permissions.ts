import type {
  GitAccess,
  NetworkAccess,
  SandboxGap,
  SandboxPolicy,
  SandboxReport,
  WorkspaceWritePolicy,
} from "@unroll/protocol";
import { listPaths } from "../text/bounded-text.ts";

/** Describes in paragraphs what commands may do, and what holds them less tightly on this machine. */
export function describeSandbox(policy: SandboxPolicy, report: SandboxReport | null): string {
  return [...toParagraphs(policy), ...describeGaps(report?.lacks ?? [])].join("\n\n");
}

function toParagraphs(policy: SandboxPolicy): readonly string[] {
  switch (policy.mode) {
    case "read-only":
      return [...readOnlyTexts, ...describeHidden(policy.hidden), networkTexts.closed];
    case "workspace-write":
      return describeWorkspaceWrite(policy);
    case "danger-full-access":
      return fullAccessTexts;
  }
}

const readOnlyTexts = [
  "# Sandbox: read-only",
  `Commands that you run with the shell tool may read files and start programs. They cannot create, change or delete any file, temporary files included. "Read-only file system" or "permission denied" on a write is this sandbox speaking, and another path or tool will not help. A patch changes files too, so it needs the same leave as any other write.`,
];

const fullAccessTexts = [
  "# Sandbox: none",
  "Commands run with all the rights of the person's account: every file, the network, other programs. Nothing catches a mistake, so the care is yours. Stay within the project unless the task leads out of it, look at what a command will hit before you delete, overwrite or send anything, and prefer what can be undone.",
];

/** Work in the project, leave the machine alone. */
function describeWorkspaceWrite(policy: WorkspaceWritePolicy): readonly string[] {
  const roots = policy.roots.map(({ path }) => path);
  return [
    "# Sandbox: workspace-write",
    `Commands that you run with the shell tool may read files everywhere, and create, change and delete them in these folders and below, where patches apply too:\n${listPaths(roots) || "- none"}`,
    `Everywhere else "read-only file system" or "permission denied" on a write is this sandbox speaking. \`.codex\` and \`.agents\` at the top of these folders stay read-only: they steer the harness itself.`,
    ...describeReadOnly(policy),
    gitTexts[policy.git],
    ...describeHidden(policy.hidden),
    describeNetwork(policy.network),
  ];
}

/** The paragraphs on what else stays read-only within the folders: none or one. */
function describeReadOnly(policy: WorkspaceWritePolicy): readonly string[] {
  const paths = listReadOnly(policy);
  return paths.length === 0 ? [] : [`So do these in there, for the same reason:\n${listPaths(paths)}`];
}

/** The paths that stay read-only within the writable folders, besides the `.codex` and `.agents` at their top. */
export function listReadOnly({ readOnly, roots }: WorkspaceWritePolicy): readonly string[] {
  const folders = roots.map(({ path }) => path);
  const told = new Set(folders.flatMap((root) => [".codex", ".agents"].map((name) => join(root, name))));
  return readOnly
    .map(({ path }) => path)
    .filter((path) => !told.has(path) && folders.some((root) => path.startsWith(join(root, ""))));
}

function join(folder: string, name: string): string {
  return `${folder.replace(/\/$/u, "")}/${name}`;
}

const gitTexts: Readonly<Record<GitAccess, string>> = {
  writable:
    "Git works: you can stage, commit, branch, switch, stash and rebase when the task calls for it. What could make a later git outside the sandbox run something stays read-only: the repository's `config`, its `hooks`, `info/attributes`. `git config` and installing hooks therefore fail; pass a setting for one command with `git -c key=value` instead.",
  protected:
    "All of `.git` is read-only: `git status`, `diff`, `log` and `show` work; whatever records something (`add`, `commit`, `switch`, `stash`, …) fails. Leave the changes in the working tree for the person to commit.",
};

/** The paragraphs on what cannot be read: none or one. */
function describeHidden(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    `Hidden from commands, on purpose, because secrets may lie there; leave them alone and do not look for copies:\n${listPaths(paths)}`,
  ];
}

function describeNetwork(network: NetworkAccess): string {
  if (network.type !== "hosts") return networkTexts[network.type];
  const denied = network.deny.length === 0 ? "" : ` Never reachable: ${network.deny.join(", ")}.`;
  return `Network: single hosts. Commands reach these, through a proxy that the usual variables name (HTTPS_PROXY and its like): ${network.allow.join(", ") || "none yet"}.${denied} Any other host is shown to the person, who may say no, or is refused at once when nobody is there; the command's output then names the host. That is policy, not an outage: do not look for a mirror or another way around it. A server that a command starts for itself on localhost works. A program that ignores proxy variables reaches nothing.`;
}

/** The closed one at length: a model that takes it for an outage tries for ever. */
const networkTexts: Readonly<Record<"open" | "closed", string>> = {
  open: "Network: open. Commands may reach other machines.",
  closed: `Network: closed. Commands cannot reach any other machine; a server that a command starts for itself on localhost works. This is policy, not an outage: "could not resolve host", "network is unreachable", a refused connection or an installer that hangs will be the same at the next try and with every other mirror. Work with what is installed, or go by the approval rules below.`,
};

function describeGaps(gaps: readonly SandboxGap[]): readonly string[] {
  if (gaps.length === 0) return [];
  const list = gaps.map((gap) => `- ${gapTexts[gap]}`).join("\n");
  return [
    `This machine cannot hold all of that. Keep to the rules above all the same, and know what differs:\n${list}`,
  ];
}

const gapTexts: Readonly<Record<SandboxGap, string>> = {
  protected_paths:
    "Writes to `.git/config`, hooks, `.codex` and `.agents` do not fail. What a later git or harness would run is put aside after the command.",
  hidden_files: "The hidden paths can be read.",
  file_modes: "`chmod`, `touch` and their like work outside the writable folders.",
  process_list: "Commands see processes that are not theirs. Leave those alone.",
  process_ids:
    "`/proc` is that of the processes around the sandbox, so the ids that `ps`, `pgrep` and `/proc` show are not those that `kill` takes. End what you started by `$!` or `kill %1`.",
  process_end: "A process that leaves its group may outlive its command: end what you start.",
  loopback:
    'No program can open a socket of any kind, so servers and tests on localhost fail with "operation not permitted". That is this sandbox, and no fault of theirs.',
};
