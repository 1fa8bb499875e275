import { findSystemProgram } from "@unroll/process-tree";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";

export function probeMacos(): SandboxBackend {
  const file = findSystemProgram("sandbox-exec");
  if (file !== null) return { type: "seatbelt", file };
  return {
    type: "unavailable",
    reason: "/usr/bin/sandbox-exec is missing.",
    remedy: "It is part of macOS; approve each command where it was removed.",
  };
}
