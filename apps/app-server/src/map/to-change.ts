import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ClientParams } from "@unroll/app-server-protocol";
import { applyChange, findPermissions, type ResolvedConfig, type ThreadChange } from "@unroll/config";
import type { SandboxMode } from "@unroll/protocol";
import type { HostedThread } from "@unroll/thread-host";
import { toApprovalPolicy, withWireSandbox } from "./to-wire-policy.ts";

/** The settings that a client changes, before a turn or between turns. */
export type AskedChange = Omit<ClientParams<"thread/settings/update">, "threadId"> & {
  readonly sandbox?: SandboxMode | null | undefined;
};

/**
 * Only the settings that change: each change is a message to the model. In plan mode, they are compared with those after it. Throws
 * `ConfigError` for a permission profile that cannot be used.
 */
export function toChange(
  asked: AskedChange,
  thread: Pick<HostedThread<unknown>, "config" | "beforePlanning">,
): ThreadChange {
  const config = applyChange(thread.config, thread.beforePlanning);
  const { effort, summary, model } = asked;
  const isOtherModel = Boolean(model) && model !== config.model; // which may have another effort by itself
  const cwd = asked.cwd ? resolve(config.cwd, asked.cwd) : config.cwd;
  const policy = toApprovalPolicy(asked.approvalPolicy) ?? config.approvalPolicy;
  const { sandboxSettings, permissionProfile } = toSandbox(asked, { ...config, cwd });
  const isOther =
    permissionProfile !== config.permissionProfile || !isDeepStrictEqual(sandboxSettings, config.sandboxSettings);
  return {
    ...(cwd === config.cwd ? {} : { cwd }),
    ...(policy === config.approvalPolicy ? {} : { approvalPolicy: policy }),
    ...(isOther ? { sandboxSettings, permissionProfile } : {}),
    ...(effort && (isOtherModel || effort !== config.reasoningEffort) ? { reasoningEffort: effort } : {}),
    ...(summary && summary !== config.reasoningSummary ? { reasoningSummary: summary } : {}),
  };
}

function toSandbox(
  { sandboxPolicy, sandbox, permissions }: AskedChange,
  config: ResolvedConfig,
): Pick<ResolvedConfig, "sandboxSettings" | "permissionProfile"> {
  const { sandboxSettings, permissionProfile } = config;
  if (permissions) return findPermissions(config, permissions);
  const asked = sandbox ? { ...sandboxSettings, mode: sandbox } : sandboxSettings;
  const wanted = sandboxPolicy ? withWireSandbox(asked, sandboxPolicy) : asked;
  const isSame = isDeepStrictEqual(wanted, sandboxSettings);
  return isSame ? { sandboxSettings, permissionProfile } : { sandboxSettings: wanted, permissionProfile: null };
}
