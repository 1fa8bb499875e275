/**
 * The names of a group's limit files, by the version of its tree. Sources: cgroups(7), and
 * cgroup-v1 in the kernel's documentation.
 */
export const limitFiles = {
  1: { memory: "memory.limit_in_bytes", pids: "pids.max" },
  2: { memory: "memory.max", pids: "pids.max" },
} as const;

/** The files and words that count how often the system enforced a limit. */
export const countFiles = {
  1: { memory: "memory.oom_control", pids: "pids.events" },
  2: { memory: "memory.events", pids: "pids.events" },
} as const;
