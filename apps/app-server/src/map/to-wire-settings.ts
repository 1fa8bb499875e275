import type { WireThreadSettings } from "@unroll/app-server-protocol";
import type { ResolvedConfig } from "@unroll/config";
import { toWireSandbox } from "./to-wire-policy.ts";

/** The settings of a thread, as clients get them when they change. */
export function toWireSettings(config: ResolvedConfig): WireThreadSettings {
  return {
    cwd: config.cwd,
    model: config.model,
    modelProvider: config.provider.id,
    serviceTier: config.serviceTier,
    approvalPolicy: config.approvalPolicy,
    approvalsReviewer: "user",
    sandboxPolicy: toWireSandbox(config.sandboxSettings),
    effort: config.reasoningEffort,
    summary: config.reasoningSummary,
  };
}
