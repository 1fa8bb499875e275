export { explainSandbox } from "./backend/explain-sandbox.ts";
export { probeSandbox } from "./backend/probe-sandbox.ts";
export { classifyDenial } from "./denial/classify-denial.ts";
export { filterEnvironment } from "./environment/filter-environment.ts";
export { findStateFolder } from "./files/find-state-folder.ts";
export { createCommandRunner } from "./runner/command-runner.ts";

export type { ExplainOptions, SandboxExplanation } from "./backend/explain-sandbox.ts";
export type { ProbeOptions } from "./backend/probe-sandbox.ts";
export type {
  BubblewrapBackend,
  LandlockBackend,
  SandboxBackend,
  SeatbeltBackend,
  UnavailableBackend,
} from "./backend/sandbox-backend.ts";
export type { ConfinedRun } from "./denial/classify-denial.ts";
export type { Credentials, ShellEnvironmentPolicy } from "./environment/filter-environment.ts";
export type { PathRule } from "./rules/path-rule.ts";
export type {
  CommandRunner,
  CommandRunnerOptions,
  CommandSession,
  SandboxSetting,
  SessionSpec,
  SessionStart,
} from "./runner/command-runner.ts";
