import { platform } from "node:os";
import type { SandboxPolicy } from "@unroll/protocol";
import { probeLinux } from "../linux/probe-linux.ts";
import { probeMacos } from "../macos/probe-macos.ts";
import { NO_WINDOWS_SANDBOX } from "../windows/no-sandbox.ts";
import type { SandboxBackend } from "./sandbox-backend.ts";

export interface ProbeOptions {
  readonly policy: SandboxPolicy;
  /** As in `SandboxSetting`. */
  readonly workspace: string;
  readonly stateFolder: string;
  readonly readOnlyFolders?: readonly string[];
  /** Of the commands. Its PATH is where the launchers are looked for. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
}

/**
 * Finds what can confine commands here by running a harmless one inside each candidate with everything it will have to
 * do. It takes about 10 ms; to be called once and its answer kept.
 */
export async function probeSandbox(options: ProbeOptions): Promise<SandboxBackend> {
  switch (platform()) {
    case "linux":
      return probeLinux(options);
    case "darwin":
      return probeMacos();
    case "win32":
      return NO_WINDOWS_SANDBOX;
    default:
      return {
        type: "unavailable",
        reason: `None is known for ${platform()}.`,
        remedy: "Approve each command, or run the program in a Linux virtual machine.",
      };
  }
}
