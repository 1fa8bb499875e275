import type { UnavailableBackend } from "../backend/sandbox-backend.ts";

/** Windows confines nothing without a native helper, so no claim is made. */
export const NO_WINDOWS_SANDBOX: UnavailableBackend = {
  type: "unavailable",
  reason: "Windows has none that this program could use.",
  remedy: "Use WSL2, or approve each command.",
};
