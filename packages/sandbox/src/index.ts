export { scrubInheritedFds } from "./process/scrub-inherited-fds.ts";
export { createCommandRunner } from "./runner/command-runner.ts";

export type { CommandRunner, CommandRunnerOptions } from "./runner/command-runner.ts";
