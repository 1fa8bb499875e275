import { groupDigits } from "@unroll/text";

/** The sign for an unknown value. */
const unknown = "?";

/** `12,345`. */
export function formatCount(count: number | null): string {
  return count === null ? unknown : groupDigits(count);
}

/** `$0.0123`: four digits, as many as a small request needs. */
export function formatCost(usd: number | null): string {
  if (usd === null) return unknown;
  const [whole = "0", fraction = ""] = usd.toFixed(4).split(".");
  return `$${formatCount(Number(whole))}.${fraction}`;
}

/** `2026-11-21 22:10:05`, in UTC. */
export function formatTime(ms: number | null): string {
  return ms === null ? unknown : new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

/** `3.4 kB`. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return unknown;
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** `81 %`; of nothing, nothing. */
export function formatShare(part: number | null, whole: number | null): string {
  if (part === null || whole === null) return unknown;
  return whole === 0 ? "" : `${Math.round((100 * part) / whole)} %`;
}
