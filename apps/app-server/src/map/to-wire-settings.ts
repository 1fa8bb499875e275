import type { WireThreadSettings } from "@unroll/app-server-protocol";
import type { ResolvedConfig } from "@unroll/config";
import type { HostedThread } from "@unroll/thread-host";
import { toWireSandbox } from "./to-wire-policy.ts";

/** The settings of a thread, as clients get them when they change. */
export function toWireSettings({
  config,
  isPlanning,
}: Pick<HostedThread<unknown>, "config" | "isPlanning">): WireThreadSettings {
  const { model, reasoningEffort: effort } = config;
  return {
    cwd: config.cwd,
    model,
    modelProvider: config.provider.id,
    serviceTier: config.serviceTier,
    approvalPolicy: config.approvalPolicy,
    approvalsReviewer: "user",
    sandboxPolicy: toWireSandbox(config.sandboxSettings),
    activePermissionProfile: toActiveProfile(config),
    effort,
    summary: config.reasoningSummary,
    collaborationMode: {
      mode: isPlanning ? "plan" : "default",
      settings: { model, reasoning_effort: effort, developer_instructions: null },
    },
  };
}

function toActiveProfile({
  permissionProfile: id,
  permissionProfiles: { tables },
}: ResolvedConfig): WireThreadSettings["activePermissionProfile"] {
  return id === null ? null : { id, extends: tables[id]?.extends ?? null };
}
