import type { ClientParams } from "@unroll/app-server-protocol";
import type { RequestedSettings } from "@unroll/thread-host";
import { toApprovalPolicy } from "./to-wire-policy.ts";

/** What a client asks of a thread. */
export function toAskedSettings(params: ClientParams<"thread/start">): RequestedSettings {
  return {
    model: params.model ?? null,
    modelProvider: params.modelProvider ?? null,
    cwd: params.cwd ?? null,
    approvalPolicy: toApprovalPolicy(params.approvalPolicy),
    sandbox: params.sandbox ?? null,
    config: params.config ?? null,
    baseInstructions: params.baseInstructions ?? null,
    developerInstructions: params.developerInstructions ?? null,
  };
}
