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
  /** What the command keeps of root's powers. */
  readonly capabilities: readonly string[];
  /** The command has a terminal of the harness's own and needs its session for job control. */
  readonly hasTerminal: boolean;
  readonly seccompFd: number;
  /** Of the first rule that shows a copy; the others follow in their order. */
  readonly copiesFd: number;
  readonly statusFd: number;
}

/** All options of one call of bwrap 0.8 or later. Order matters: what comes later is mounted over what came before. */
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
    // To bind or change a mount reads the list of all: that comes while it is short, and new folders that hold nothing at the end.
    toMounts(
      options,
      early.filter((rule) => !isApart(rule)),
    ),
    ["--dev", "/dev"],
    ["--proc", "/proc"],
    // Through /proc/1/mem a command would rewrite the process that ends it with its harness. Root also owns /proc/sys.
    ["--remount-ro", "/proc"],
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

/** Whether there is a rule about something in it. */
function isAround({ path }: PathRule, rules: readonly PathRule[]): boolean {
  return rules.some((other) => other.path !== path && isInside(other.path, path));
}

function toRuntimeMounts({ path, visible }: RuntimeFolder): readonly string[] {
  // What a command might write in there after all goes with it, unread.
  return ["--perms", "555", "--tmpfs", path, ...visible.flatMap((each) => ["--ro-bind-try", each, each])];
}

function toMounts(
  { rules: all, capabilities, copiesFd }: BubblewrapOptions,
  rules: readonly PathRule[],
): readonly string[] {
  const copies = all.filter(({ type }) => type === "shown-copy");
  // Of a new folder the mode is enough, but for who may pass over it. What was written there all the same would go with it.
  const isClosed = (rule: PathRule): boolean =>
    isOwnFolder(rule, all) && (rule.type === "hidden-folder" || capabilities.length > 0 || holdsNewFolders(rule, all));
  return [
    ...rules.flatMap((rule) => toMount(rule, { rules: all, copyFd: copiesFd + copies.indexOf(rule) })),
    // Only now, for within a hidden folder there may be one that is not.
    ...rules.filter(isClosed).flatMap(({ path }) => ["--remount-ro", path]),
  ];
}

interface MountSurroundings {
  readonly rules: readonly PathRule[];
  /** Of this rule's copy, where it has one. */
  readonly copyFd: number;
}

/** Whatever binds or changes a mount takes bwrap a twentieth of a bare spawn; a new file system, file, folder or link does not. */
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
      // What is in its place says the same to whoever opens it.
      return isInOwnFolder(rule, rules) ? ["--perms", "000", "--dir", path] : ["--ro-bind", "/dev/null", path];
  }
}

/** Whether a new file system takes the folder's place. */
function isOwnFolder(rule: PathRule, rules: readonly PathRule[]): boolean {
  if (rule.type === "hidden-folder") return !isInOwnFolder(rule, rules);
  return rule.type === "veiled-folder" || rule.type === "absent";
}

/** Whether bwrap makes folders in it, on the way to what lies deeper: those anybody here may write. */
function holdsNewFolders({ path }: PathRule, rules: readonly PathRule[]): boolean {
  const isMade = (folder: string): boolean => isInside(folder, path) && !rules.some((rule) => rule.path === folder);
  return rules.some((other) => isMade(dirname(other.path)) && isInOwnFolder(other, rules));
}

/** Whether it lies in a new file system, not in a folder that is shown in there. */
function isInOwnFolder({ path }: PathRule, rules: readonly PathRule[]): boolean {
  const around = findRule(dirname(path), rules);
  return around?.type === "veiled-folder" || around?.type === "hidden-folder";
}
