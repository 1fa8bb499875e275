import { resolve } from "node:path";
import {
  explainUnsupportedEffort,
  findHostFault,
  findPermissions,
  type ResolvedConfig,
  type ThreadChange,
} from "@unroll/config";
import { approvalPolicies, type SandboxMode, sandboxModes, type SandboxSettings } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import { checkCall, checkKeys, checkLimits } from "../check-options.ts";

/** A change of a thread's settings. */
export interface ThreadChangeOptions extends ThreadChange {
  /** How far commands may reach; the other sandbox settings stay. Wins over the mode in `sandboxSettings`. */
  readonly sandboxMode?: SandboxMode;
}

const known: Readonly<Record<keyof ThreadChangeOptions, true>> = {
  cwd: true,
  approvalPolicy: true,
  approvalQuestions: true,
  sandboxMode: true,
  sandboxSettings: true,
  permissionProfile: true,
  reasoningEffort: true,
  reasoningSummary: true,
  verbosity: true,
};

const shape = {
  "cwd?": "text",
  "approvalPolicy?": approvalPolicies,
  "sandboxMode?": sandboxModes,
  "sandboxSettings?": "an object",
  "reasoningSummary?": ["auto", "concise", "detailed", "none"],
} as const;

const sandboxShape = {
  mode: sandboxModes,
  writableRoots: "a list",
  denyRead: "a list",
  limits: "an object",
  "git?": ["writable", "protected"],
} as const;

const knownSandbox: Readonly<Record<keyof SandboxSettings, true>> = {
  mode: true,
  networkAccess: true,
  hosts: true,
  writableRoots: true,
  excludeSlashTmp: true,
  excludeTmpdirEnvVar: true,
  git: true,
  denyRead: true,
  allowWeaker: true,
  limits: true,
};

const knownLimits: Readonly<Record<keyof SandboxSettings["limits"], true>> = {
  maxProcesses: true,
  maxMemoryMb: true,
  maxTotalMemoryMb: true,
};

/** The kinds of questions that may be switched off. */
const knownQuestions: Readonly<Record<keyof NonNullable<ThreadChange["approvalQuestions"]>, true>> = {
  rules: true,
  mcp: true,
};

/**
 * Resolves a change: an absolute folder, and the mode merged into the current sandbox settings.
 * Throws `HarnessError` `invalid_options` for unknown names and values, and `ConfigError` for a
 * permission profile that cannot be used.
 */
export function settleChange(change: ThreadChangeOptions, config: ResolvedConfig): ThreadChange {
  checkCall("change", change, {});
  checkKeys({ call: "change" }, change, known);
  checkCall("change", change, shape);
  const { sandboxMode, cwd, ...rest } = change;
  if (rest.sandboxSettings !== undefined) checkSandbox("change, sandboxSettings", rest.sandboxSettings);
  if (rest.approvalQuestions) checkFlags("change, approvalQuestions", rest.approvalQuestions, knownQuestions);
  checkModelSettings(rest, config);
  const profile = findProfile(change, config);
  const sandbox = rest.sandboxSettings ?? profile?.sandboxSettings ?? config.sandboxSettings;
  return {
    ...profile,
    ...rest,
    ...(cwd !== undefined && { cwd: resolve(config.cwd, cwd) }),
    ...(sandboxMode !== undefined && { sandboxSettings: { ...sandbox, mode: sandboxMode } }),
  };
}

/** A profile that is named alone decides on the sandbox. Throws `ConfigError` for one that cannot be used. */
function findProfile(
  { permissionProfile, sandboxSettings, sandboxMode, cwd }: ThreadChangeOptions,
  config: ResolvedConfig,
): Pick<ThreadChange, "sandboxSettings" | "permissionProfile"> | null {
  if (permissionProfile === undefined || permissionProfile === null || sandboxSettings !== undefined) return null;
  if (sandboxMode !== undefined)
    throw new HarnessError("invalid_options", "change: permissionProfile cannot be combined with sandboxMode.");
  return findPermissions({ ...config, ...(cwd !== undefined && { cwd: resolve(config.cwd, cwd) }) }, permissionProfile);
}

/** A member that nobody knows may be a limit that is misspelt, and a flag that is text is always on. */
function checkSandbox(call: string, sandbox: SandboxSettings): void {
  checkCall(call, sandbox, sandboxShape);
  checkHosts(call, sandbox.hosts);
  const { limits, networkAccess, excludeSlashTmp, excludeTmpdirEnvVar, allowWeaker } = sandbox;
  checkKeys({ call }, sandbox, knownSandbox);
  const { maxTotalMemoryMb, ...others } = limits;
  checkLimits(`${call}.limits`, { ...others, ...(maxTotalMemoryMb !== "most" && { maxTotalMemoryMb }) }, knownLimits);
  checkFlags(call, { networkAccess, excludeSlashTmp, excludeTmpdirEnvVar, allowWeaker }, knownSandbox);
}

function checkHosts(call: string, hosts: SandboxSettings["hosts"]): void {
  if (hosts === undefined) return;
  checkCall(call, { hosts }, { "hosts.allow": "a list", "hosts.deny": "a list" });
  const fault = findHostFault(hosts);
  if (fault !== null) throw new HarnessError("invalid_options", `${call}: ${fault}`);
}

function checkFlags(call: string, flags: object, known: Readonly<Record<string, true>>): void {
  checkCall(call, flags, {});
  checkKeys({ call }, flags, known);
  const wrong = Object.entries(flags).find(([, value]: [string, unknown]) => typeof value !== "boolean");
  if (wrong !== undefined) throw new HarnessError("invalid_options", `${call}: ${wrong[0]} has to be true or false.`);
}

function checkModelSettings({ reasoningEffort, verbosity }: ThreadChange, config: ResolvedConfig): void {
  if (typeof verbosity === "string") checkCall("change", { verbosity }, { verbosity: ["low", "medium", "high"] });
  const fault = typeof reasoningEffort === "string" ? explainUnsupportedEffort(reasoningEffort, config) : null;
  if (fault !== null) throw new HarnessError("invalid_options", `change: ${fault}`);
}
