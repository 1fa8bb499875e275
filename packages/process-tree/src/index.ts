export { removeGroup, removeIfEmpty } from "./group/remove-group.ts";
export { startProcess } from "./run/start-process.ts";
export { scrubInheritedFds } from "./spawn/scrub-inherited-fds.ts";
export { spawnChild } from "./spawn/spawn-child.ts";
export { markerVariable } from "./tree/process-tree.ts";
export { readProcessStat } from "./tree/process-stat.ts";
export { stopTree } from "./tree/stop-tree.ts";
export { within } from "./wait/within.ts";
export { createWatchdog } from "./watchdog/watchdog.ts";

export type { ControlGroup } from "./group/control-group.ts";
export type { ProcessResult, RunningProcess } from "./run/start-process.ts";
export type { ChildExit, ChildStart, Connection } from "./spawn/child.ts";
export type { ProcessLaunch } from "./spawn/process-launch.ts";
export type { SpawnFailure } from "./spawn/spawn-failure.ts";
export type { ProcessTree } from "./tree/process-tree.ts";
export type { StopGraces } from "./tree/stop-tree.ts";
export type { Watchdog } from "./watchdog/watchdog.ts";
