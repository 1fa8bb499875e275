import type { ServerNotification } from "@unroll/app-server-protocol";
import type { RateLimits, RateLimitWindow } from "@unroll/protocol";

type WireLimits = Extract<
  ServerNotification,
  { readonly method: "account/rateLimits/updated" }
>["params"]["rateLimits"];

/** Null: no provider reported limits. */
export function toWireRateLimits(limits: RateLimits | null): WireLimits {
  return { primary: toWindow(limits?.primary ?? null), secondary: toWindow(limits?.secondary ?? null) };
}

function toWindow(window: RateLimitWindow | null): WireLimits["primary"] {
  if (window === null) return null;
  const { usedPercent, windowMinutes, resetsAt } = window;
  return {
    usedPercent: Math.round(usedPercent),
    windowDurationMins: toWhole(windowMinutes),
    resetsAt: toWhole(resetsAt),
  };
}

function toWhole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
