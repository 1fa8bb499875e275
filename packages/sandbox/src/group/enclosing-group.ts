import { join } from "node:path";
import { countFiles } from "./limit-files.ts";
import { openCounter } from "./open-counter.ts";
import { readGroupLimits } from "./read-group-limits.ts";
import { readHierarchies } from "./read-hierarchies.ts";

/** The control group that this process was started in, such as a container's: its commands count there, too. */
export interface EnclosingGroup {
  /** Its memory limit, or that of a group around it; null: none is seen from here. */
  readonly memoryBytes: number | null;
  /** Processes that the system killed in it because memory ran out, in groups below as well. */
  readonly readKilled: () => number;
  readonly close: () => void;
}

/** `root` holds `proc` and `sys`. */
export function openEnclosingGroup(root: string): EnclosingGroup {
  const memory = readHierarchies(root).filter(({ controllers }) => controllers.includes("memory"));
  const counters = memory.map(({ own, version }) => openCounter(join(own, countFiles[version].memory), "oom_kill"));
  return {
    memoryBytes: readGroupLimits(root).memoryBytes,
    readKilled: () => counters.reduce((sum, counter) => sum + counter.read(), 0),
    close: () => counters.forEach((counter) => counter.close()),
  };
}
