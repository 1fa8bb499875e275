/**
 * A control group of the system: its limits apply to the processes in it and everything they start.
 * It has a folder in each tree of groups that it belongs to. Source: cgroups(7).
 */
export interface ControlGroup {
  /** Absolute. */
  readonly folders: readonly string[];
  /** The folders of this process's own groups, in the same order. */
  readonly outside: readonly string[];
}

/** The file that moves a process into a group, and lists the processes in it. */
export const membersFile = "cgroup.procs";
