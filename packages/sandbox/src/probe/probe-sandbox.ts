import { checkShape } from "@unroll/text";
import { platform } from "node:os";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import { probeLinux } from "./probe-linux.ts";
import { probeMacos } from "./probe-macos.ts";
import type { ProbeOptions } from "./probe-options.ts";

const shape = {
  "policy.mode": "text",
  cwd: "text",
  stateFolder: "text",
  environment: "an object",
  createId: "a function",
} as const;

/**
 * Finds the strongest sandbox that works here, by running a harmless command in each candidate with
 * every kind of rule. Takes about 10 ms; call it once and keep the result.
 */
export async function probeSandbox(options: ProbeOptions): Promise<SandboxBackend> {
  checkShape("probeSandbox", options, shape);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a union of a library that grows without us: what is not named is none of these
  switch (platform()) {
    case "linux":
      return probeLinux(options);
    case "darwin":
      return probeMacos();
    // Windows cannot confine a process without a native helper, so we claim nothing.
    case "win32":
      return {
        type: "unavailable",
        reason: "Windows has none that this program could use.",
        remedy: "Use WSL2, or approve each command.",
      };
    default:
      return {
        type: "unavailable",
        reason: `None is known for ${platform()}.`,
        remedy: "Approve each command, or run the program in a Linux virtual machine.",
      };
  }
}
