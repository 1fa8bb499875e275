export { probeSandbox } from "./backend/probe-sandbox.ts";
export { scrubInheritedFds } from "./process/scrub-inherited-fds.ts";
export { createCommandRunner } from "./runner/command-runner.ts";

export type { ProbeOptions } from "./backend/probe-sandbox.ts";
export type {
  BubblewrapBackend,
  LandlockBackend,
  SandboxBackend,
  SeatbeltBackend,
  UnavailableBackend,
} from "./backend/sandbox-backend.ts";
export type { TerminalSize } from "./process/child.ts";
export type {
  CommandRunner,
  CommandRunnerOptions,
  CommandSession,
  SandboxSetting,
  SessionSpec,
  SessionStart,
} from "./runner/command-runner.ts";
