const unitMs: Readonly<Record<string, number>> = { ms: 1, mil: 1, s: 1000, m: 60_000, h: 3_600_000 };
const amount = String.raw`\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![a-z])`;
const sentence = new RegExp(
  String.raw`\b(?:try again|retry) (?:in|after) (${amount}(?:[\s,]*(?:and\s+)?${amount})*)`,
  "i",
);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The wait in ms that a server asked for, or null: `retry-after-ms`, `retry-after` in seconds or as an HTTP date
 * (RFC 9110, 10.2.3), or "try again in 1m3s" in its message. `nowMs` is what a date is read against.
 */
export function readRetryAfter(headers: Headers, message: string, nowMs: number): number | null {
  return (
    toNumber(headers["retry-after-ms"]) ?? readSecondsOrDate(headers["retry-after"], nowMs) ?? readSentence(message)
  );
}

function readSecondsOrDate(value: string | string[] | undefined, nowMs: number): number | null {
  const seconds = toNumber(value);
  if (seconds !== null) return Math.round(seconds * 1000);
  const date = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function toNumber(value: string | string[] | undefined): number | null {
  return typeof value === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : null;
}

function readSentence(message: string): number | null {
  const span = sentence.exec(message)?.[1];
  if (span === undefined) return null;
  let totalMs = 0;
  for (const [, count, unit = ""] of span.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*(ms|mil|[smh])/g)) {
    totalMs += Number(count) * (unitMs[unit] ?? 0);
  }
  return Math.round(totalMs);
}
