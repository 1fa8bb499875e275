import type { ClientParams, WireSandboxPolicy } from "@unroll/app-server-protocol";
import type { ApprovalPolicy, SandboxSettings } from "@unroll/protocol";

export function toWireSandbox(settings: SandboxSettings): WireSandboxPolicy {
  const { networkAccess, excludeTmpdirEnvVar, excludeSlashTmp, writableRoots } = settings;
  switch (settings.mode) {
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    case "read-only":
      return { type: "readOnly", networkAccess: false };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: [...writableRoots],
        networkAccess,
        excludeTmpdirEnvVar,
        excludeSlashTmp,
      };
  }
}

/** The settings with what a client asks for; what its policy does not speak of stays as the config has it. */
export function withWireSandbox(settings: SandboxSettings, policy: WireSandboxPolicy): SandboxSettings {
  switch (policy.type) {
    case "dangerFullAccess":
      return { ...settings, mode: "danger-full-access" };
    case "readOnly":
      return { ...settings, mode: "read-only" };
    case "workspaceWrite": {
      const { type: _, ...own } = policy;
      return { ...settings, mode: "workspace-write", ...own };
    }
  }
}

/** Null: the client does not say. Finer policies are held to the one that asks for all that they ask for. */
export function toApprovalPolicy(asked: ClientParams<"turn/start">["approvalPolicy"]): ApprovalPolicy | null {
  if (asked === undefined || asked === null) return null;
  return typeof asked === "string" ? asked : "on-request";
}
