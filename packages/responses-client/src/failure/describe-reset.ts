const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** A reset further away is not believed: the server counts in another unit. */
const furthestMs = 366 * dayMs;

/**
 * Says when a limit resets, in local time: from `resets_in_seconds`, or `resets_at` in seconds since 1970. Null: the server gives neither, or
 * no time in the future.
 */
export function describeReset(numbers: Readonly<Record<string, number>>, nowMs: number): string | null {
  const { resets_in_seconds: seconds, resets_at: at } = numbers;
  const waitMs = seconds === undefined ? (at ?? 0) * 1000 - nowMs : seconds * 1000;
  if (waitMs <= 0 || waitMs > furthestMs) return null;
  const [now, then] = [new Date(nowMs), new Date(nowMs + waitMs)];
  const day = renderDay(then);
  const on = day === renderDay(now) ? "" : `on ${day} `;
  return `The limit resets ${on}at ${pad(then.getHours())}:${pad(then.getMinutes())} (in ${renderWait(waitMs)}).`;
}

function renderDay(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** In its two largest units, rounded up to minutes. */
function renderWait(ms: number): string {
  const minutes = Math.ceil(ms / minuteMs) * minuteMs;
  const units = [
    [Math.floor(minutes / dayMs), "d"],
    [Math.floor((minutes % dayMs) / hourMs), "h"],
    [Math.floor((minutes % hourMs) / minuteMs), "min"],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
