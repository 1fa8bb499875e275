import type { IncomingHttpHeaders } from "node:http";
import type { RateLimits, RateLimitWindow } from "@unroll/protocol";

/** Reads the `x-codex-primary-…` and `x-codex-secondary-…` headers that servers of ChatGPT answer with. Null: there are none. */
export function readRateLimits(headers: IncomingHttpHeaders): RateLimits | null {
  const [primary, secondary] = [readWindow(headers, "primary"), readWindow(headers, "secondary")];
  return primary === null && secondary === null ? null : { primary, secondary };
}

function readWindow(headers: IncomingHttpHeaders, name: "primary" | "secondary"): RateLimitWindow | null {
  const read = (member: string): number | null => {
    const text = headers[`x-codex-${name}-${member}`];
    const value = typeof text === "string" && text.trim() !== "" ? Number(text) : Number.NaN;
    return Number.isFinite(value) && value >= 0 ? value : null;
  };
  const usedPercent = read("used-percent");
  if (usedPercent === null) return null;
  return { usedPercent, windowMinutes: read("window-minutes"), resetsAt: read("reset-at") };
}
