import { isInside } from "@unroll/files";
import { dirname } from "node:path";
import { findRule, type PathRule } from "../../policy/path-rule.ts";
import type { RuntimeFolder } from "./runtime-folders.ts";

export interface BubblewrapOptions {
  /** In the order of `orderRules`. */
  readonly rules: readonly PathRule[];
  /** Folders that hold other programs' sockets and pipes. */
  readonly runtimeFolders: readonly RuntimeFolder[];
  readonly networkAccess: boolean;
  readonly cwd: string;
  /** The command's whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** False only for root, who does not need one. */
  readonly userNamespace: boolean;
  /** False: the command reads the `/proc` of the processes around it. It needs a user namespace then. */
  readonly hasOwnProc: boolean;
  /** The capabilities that the command keeps. */
  readonly capabilities: readonly string[];
  /** The command has a terminal of the harness's own and needs its session for job control. */
  readonly hasTerminal: boolean;
  readonly seccompFd: number;
  /** The descriptor of the first rule that shows a copy; the others follow in order. */
  readonly copiesFd: number;
  readonly statusFd: number;
}

/** All options of one call of bwrap 0.8 or later. Order matters: later mounts cover earlier ones. */
export function toBubblewrapArguments(options: BubblewrapOptions): readonly string[] {
  const root = options.rules.find(({ path }) => path === "/");
  const rules = options.rules.filter((rule) => rule !== root);
  const systemFolders = ["/dev", "/proc", ...options.runtimeFolders.map(({ path }) => path)];
  const isLate = ({ path }: PathRule): boolean => systemFolders.some((folder) => isInside(path, folder));
  const early = rules.filter((rule) => !isLate(rule));
  const isApart = (rule: PathRule): boolean =>
    rule.type === "absent" && !isAround(rule, rules) && !isInOwnFolder(rule, rules);
  return [
    ["--die-with-parent"],
    options.hasTerminal ? [] : ["--new-session"],
    options.userNamespace ? ["--unshare-user"] : [],
    ["--unshare-pid", "--unshare-ipc", "--unshare-cgroup-try"],
    options.networkAccess ? [] : ["--unshare-net"],
    root?.type === "writable" ? ["--bind", "/", "/"] : ["--ro-bind", "/", "/"],
    // Binding or changing a mount reads the list of all mounts. So that comes while the list is
    // short, and empty folders come last.
    toMounts(
      options,
      early.filter((rule) => !isApart(rule)),
    ),
    ["--dev", "/dev"],
    // Through /proc/PID/mem a command could rewrite the process that ends it with its harness. Root
    // also owns /proc/sys. A bound /proc keeps the mounts that hide parts of it.
    options.hasOwnProc ? ["--proc", "/proc", "--remount-ro", "/proc"] : ["--ro-bind", "/proc", "/proc"],
    options.runtimeFolders.flatMap(toRuntimeMounts),
    toMounts(options, rules.filter(isLate)),
    toMounts(options, early.filter(isApart)),
    ["--cap-drop", "ALL"],
    options.capabilities.flatMap((name) => ["--cap-add", name]),
    ["--seccomp", String(options.seccompFd)],
    ["--json-status-fd", String(options.statusFd)],
    ["--clearenv"],
    Object.entries(options.environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ["--chdir", options.cwd],
  ].flat();
}

/** Whether there is a rule about something inside it. */
function isAround({ path }: PathRule, rules: readonly PathRule[]): boolean {
  return rules.some((other) => other.path !== path && isInside(other.path, path));
}

function toRuntimeMounts({ path, visible }: RuntimeFolder): readonly string[] {
  // Anything that a command writes there in spite of this is discarded unread.
  return ["--perms", "555", "--tmpfs", path, ...visible.flatMap((each) => ["--ro-bind-try", each, each])];
}

function toMounts(
  { rules: all, capabilities, copiesFd }: BubblewrapOptions,
  rules: readonly PathRule[],
): readonly string[] {
  const copies = all.filter(({ type }) => type === "shown-copy");
  // The mode is enough for a new folder, unless the user can bypass modes. Anything written there
  // is discarded.
  const isClosed = (rule: PathRule): boolean =>
    isOwnFolder(rule, all) && (rule.type === "hidden-folder" || capabilities.length > 0 || holdsNewFolders(rule, all));
  return [
    ...rules.flatMap((rule) => toMount(rule, { rules: all, copyFd: copiesFd + copies.indexOf(rule) })),
    // Only now, because a hidden folder may contain a visible one.
    ...rules.filter(isClosed).flatMap(({ path }) => ["--remount-ro", path]),
  ];
}

interface MountSurroundings {
  readonly rules: readonly PathRule[];
  /** The descriptor of this rule's copy, if it has one. */
  readonly copyFd: number;
}

/**
 * Binding or changing a mount takes bwrap a twentieth of a bare spawn. A new file system, file,
 * folder or link does not.
 */
function toMount(rule: PathRule, { rules, copyFd }: MountSurroundings): readonly string[] {
  const { path } = rule;
  switch (rule.type) {
    case "writable":
      return ["--bind", path, path];
    case "read-only":
      return ["--ro-bind", path, path];
    case "shown":
      return ["--ro-bind-try", path, path];
    case "shown-copy":
      return ["--perms", rule.mode.toString(8).padStart(3, "0"), "--file", String(copyFd), path];
    case "shown-link":
      return ["--symlink", rule.target, path];
    case "absent":
    case "veiled-folder":
      return ["--perms", "555", "--tmpfs", path];
    case "hidden-folder": {
      return ["--perms", isAround(rule, rules) ? "111" : "000", isOwnFolder(rule, rules) ? "--tmpfs" : "--dir", path];
    }
    case "hidden-file":
      // A program that opens it sees the same as with /dev/null.
      return isInOwnFolder(rule, rules) ? ["--perms", "000", "--dir", path] : ["--ro-bind", "/dev/null", path];
  }
}

/** Whether a new file system replaces the folder. */
function isOwnFolder(rule: PathRule, rules: readonly PathRule[]): boolean {
  if (rule.type === "hidden-folder") return !isInOwnFolder(rule, rules);
  return rule.type === "veiled-folder" || rule.type === "absent";
}

/** Whether bwrap creates folders in it, on the way to deeper paths. Anyone in the sandbox may write those. */
function holdsNewFolders({ path }: PathRule, rules: readonly PathRule[]): boolean {
  const isMade = (folder: string): boolean => isInside(folder, path) && !rules.some((rule) => rule.path === folder);
  return rules.some((other) => isMade(dirname(other.path)) && isInOwnFolder(other, rules));
}

/** Whether it lies in a new file system, not in a folder that is shown there. */
function isInOwnFolder({ path }: PathRule, rules: readonly PathRule[]): boolean {
  const around = findRule(dirname(path), rules);
  return around?.type === "veiled-folder" || around?.type === "hidden-folder";
}
