/** All of them, the tightest first. */
export const sandboxModes = ["read-only", "workspace-write", "danger-full-access"] as const;

/** How far a command that the model runs may reach. */
export type SandboxMode = (typeof sandboxModes)[number];

/** `writable`: git works, its dangerous files stay protected. `protected`: all of `.git` is read-only. */
export type GitAccess = "writable" | "protected";

/**
 * The sandbox settings of config and flags. `resolveSandboxPolicy` of `@unroll/sandbox` turns them
 * into a policy. Paths are absolute.
 */
export interface SandboxSettings {
  readonly mode: SandboxMode;
  /** `workspace-write` only: whether commands reach the network. */
  readonly networkAccess: boolean;
  /**
   * `workspace-write` only: the hosts that commands reach; all others are closed to them, whatever
   * `networkAccess` says. Absent: none is allowed by name.
   */
  readonly hosts?: HostLists;
  /** `workspace-write` only: roots besides the working folder, `/tmp` and `$TMPDIR`. */
  readonly writableRoots: readonly string[];
  readonly excludeSlashTmp: boolean;
  readonly excludeTmpdirEnvVar: boolean;
  readonly git: GitAccess;
  /** Files and folders that commands cannot read. */
  readonly denyRead: readonly string[];
  /** Whether a weaker backend may stand in where the real one cannot start. */
  readonly allowWeaker: boolean;
  readonly limits: CommandLimits;
}

/** Package managers whose hosts the settings of this machine name, and GitHub. */
export const hostPresets = ["npm", "pypi", "crates", "debian", "github"] as const;

/** A name that stands for hosts in `allow`. */
export type HostPreset = (typeof hostPresets)[number];

/**
 * Hosts, each `name`, `*.name` or an IP address, with or without `:port`. In settings, a preset in
 * `allow` stands for the hosts of a package manager on this machine.
 */
export interface HostLists {
  readonly allow: readonly string[];
  /** These are closed, whatever allows them. */
  readonly deny: readonly string[];
  /** You are asked about these, even where `allow` has them. Absent: none. */
  readonly ask?: readonly string[];
}

/** Limits of commands, if the system can enforce them; null: no limit. */
export interface CommandLimits {
  /** Processes and threads of all commands together; without a control group, how many a command may add to what runs when it starts. */
  readonly maxProcesses: number | null;
  /** The data of each process, in MiB. */
  readonly maxMemoryMb: number | null;
  /** The memory of all commands together, in MiB, by a control group alone. `most`: nine tenths of what there is. */
  readonly maxTotalMemoryMb: number | "most" | null;
}
