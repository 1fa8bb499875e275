import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "../host/host.ts";
import type { Sandbox } from "./create-sandbox.ts";
import { checkCall } from "../check-options.ts";

/**
 * Opens the sandbox of the config, on the disk as it is now. Commands get none of our credentials
 * in their environment, whatever the config says. Throws `HarnessError` `invalid_options` for a
 * wrong shape.
 */
export async function openSandbox(config: ResolvedConfig, host: Host): Promise<Sandbox> {
  const shape = {
    "config.cwd": "text",
    "config.sandboxSettings": "an object",
    "host.env": "an object",
    "host.newId": "a function",
  } as const;
  checkCall("openSandbox", { config, host }, shape);
  const { createSandbox, createSandboxBackends } = await import("./create-sandbox.ts");
  return createSandbox(config, host, { backends: createSandboxBackends(), logins: null, warn: () => {}, hosts: null });
}
