import type { ResolvedConfig } from "@unroll/config";
import type { HostLists } from "@unroll/protocol";
import { createClock } from "../host/create-clock.ts";
import type { Host } from "../host/host.ts";
import type { Sandbox } from "./create-sandbox.ts";
import { checkCall } from "../check-options.ts";

/**
 * Opens the sandbox of the config, on the disk as it is now. Commands get none of our credentials
 * in their environment, whatever the config says. `readsRules`: the user's rules open and close hosts, too. Throws
 * `HarnessError` `invalid_options` for a wrong shape, and `ApprovalError` for rules that cannot be read.
 */
export async function openSandbox(
  config: ResolvedConfig,
  host: Host,
  { readsRules = false }: { readonly readsRules?: boolean } = {},
): Promise<Sandbox> {
  const shape = {
    "config.cwd": "text",
    "config.sandboxSettings": "an object",
    "host.env": "an object",
    "host.newId": "a function",
  } as const;
  checkCall("openSandbox", { config, host }, shape);
  const [{ createSandbox, createSandboxBackends }, { toNetwork }] = await Promise.all([
    import("./create-sandbox.ts"),
    import("./thread-hosts.ts"),
  ]);
  const rules = readsRules ? await readHosts(config, host) : { allow: [], deny: [] };
  return createSandbox(config, host, {
    backends: createSandboxBackends(),
    worktree: null,
    logins: null,
    warn: () => {},
    hosts: { rules: () => rules, toPorts: () => toNetwork(host) },
  });
}

async function readHosts({ codexHome }: ResolvedConfig, host: Host): Promise<HostLists> {
  const { openRuleStore } = await import("@unroll/approval/node");
  return (await openRuleStore(codexHome, { isIgnored: false, clock: createClock(host) })).hosts;
}
