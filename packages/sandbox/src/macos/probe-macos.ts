import { kindOf } from "../files/path-facts.ts";
import type { SandboxBackend } from "../backend/sandbox-backend.ts";

const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

export function probeMacos(): SandboxBackend {
  if (kindOf(SANDBOX_EXEC) === "file") return { type: "seatbelt", file: SANDBOX_EXEC };
  return {
    type: "unavailable",
    reason: `${SANDBOX_EXEC} is missing.`,
    remedy: "It is part of macOS; approve each command where it was removed.",
  };
}
