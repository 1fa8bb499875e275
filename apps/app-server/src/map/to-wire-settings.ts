import type { WireThreadSettings } from "@unroll/app-server-protocol";
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
    effort,
    summary: config.reasoningSummary,
    collaborationMode: {
      mode: isPlanning ? "plan" : "default",
      settings: { model, reasoning_effort: effort, developer_instructions: null },
    },
  };
}
