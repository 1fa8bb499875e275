/** What the limits of a group are called in its folder, by the version of its tree. cgroups(7), and cgroup-v1 of the kernel's documents. */
export const limitFiles = {
  1: { memory: "memory.limit_in_bytes", pids: "pids.max" },
  2: { memory: "memory.max", pids: "pids.max" },
} as const;

/** Where a number behind a word counts what the system did to hold a group to a limit. */
export const countFiles = {
  1: { memory: "memory.oom_control", pids: "pids.events" },
  2: { memory: "memory.events", pids: "pids.events" },
} as const;
