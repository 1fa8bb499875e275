/**
 * A control group of the system: what is put into it, with all that this starts, is held to its limits. It has a folder in each tree
 * of groups that it is part of. cgroups(7).
 */
export interface ControlGroup {
  /** Absolute. */
  readonly folders: readonly string[];
  /** Those of the groups that this process is in, in the same order. */
  readonly outside: readonly string[];
}

/** The file by which a process is moved into a group, and which lists those that are in it. */
export const membersFile = "cgroup.procs";
