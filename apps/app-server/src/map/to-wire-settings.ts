import type { WireThreadSettings } from "@unroll/app-server-protocol";
import type { ResolvedConfig } from "@unroll/config";
import { toWireSandbox } from "./to-wire-policy.ts";

/** What a thread goes by, as clients are told when it changes. */
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
