import type { SandboxGap, SandboxPolicy, SandboxReport } from "@unroll/protocol";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";

/** Names what confines commands under a policy, for programs and for the model; `explainSandbox` has it in sentences. */
export function reportSandbox(policy: SandboxPolicy, backend: SandboxBackend): SandboxReport {
  if (policy.mode === "danger-full-access") return fullAccess;
  switch (backend.type) {
    case "bubblewrap":
      return { backend: "bubblewrap", lacks: backend.hasOwnProc ? [] : ["process_list", "process_ids"] };
    case "landlock":
      if (!policy.allowWeaker) return unavailable;
      return {
        backend: "landlock",
        lacks: [
          ...ifNeeded(policy.mode === "workspace-write", "protected_paths"),
          ...ifNeeded(policy.hidden.length > 0, "hidden_files"),
          "file_modes",
          "process_list",
          "process_end",
          ...ifNeeded(policy.network.type !== "open", "loopback"),
        ],
      };
    case "seatbelt":
      return { backend: "seatbelt", lacks: ["process_list", "process_end"] };
    case "unavailable":
      return unavailable;
  }
}

/** With full access, without a probe. */
export const fullAccess: SandboxReport = { backend: "none", lacks: [] };
const unavailable: SandboxReport = { backend: "unavailable", lacks: [] };

function ifNeeded(isNeeded: boolean, gap: SandboxGap): readonly SandboxGap[] {
  return isNeeded ? [gap] : [];
}
