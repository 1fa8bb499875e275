export { findStateFolder } from "./files/find-state-folder.ts";
export { findObeyedPlaces } from "./plan/find-obeyed-places.ts";
export { hostVariables } from "./plan/host-environment.ts";
export { isAsTight } from "./policy/is-as-tight.ts";
export { listPresetHosts, resolveHostPresets } from "./policy/host-presets.ts";
export { canRead, canWrite } from "./policy/judge-path.ts";
export { resolveReadPolicy, resolveSandboxPolicy } from "./policy/resolve-sandbox-policy.ts";
export { explainSandbox } from "./probe/explain-sandbox.ts";
export { probeSandbox } from "./probe/probe-sandbox.ts";
export { fullAccess, reportSandbox } from "./probe/report-sandbox.ts";
export { createCommandRunner } from "./runner/command-runner.ts";
export { isShortage } from "./runner/is-shortage.ts";
export { createProfileFilter, filterEnvironment } from "./runner/filter-environment.ts";

export type { SandboxBackend } from "./plan/sandbox-backend.ts";
export type { HostPorts } from "./runner/host-door.ts";
export type { SandboxPlace } from "./policy/resolve-sandbox-policy.ts";
export type { SandboxExplanation } from "./probe/explain-sandbox.ts";
export type { CommandRunnerOptions, SandboxRunner } from "./runner/command-runner.ts";
