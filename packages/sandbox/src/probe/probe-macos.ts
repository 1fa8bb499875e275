import { kindOf } from "@unroll/files";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";

const sandboxExec = "/usr/bin/sandbox-exec";

export function probeMacos(): SandboxBackend {
  if (kindOf(sandboxExec) === "file") return { type: "seatbelt", file: sandboxExec };
  return {
    type: "unavailable",
    reason: `${sandboxExec} is missing.`,
    remedy: "It is part of macOS; approve each command where it was removed.",
  };
}
