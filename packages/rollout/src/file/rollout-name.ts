/** The facts in the name of a thread's file. */
export interface RolloutName {
  readonly threadId: string;
  /** The folders that it is in: year, month, day. */
  readonly day: readonly string[];
  /** When the thread was created, in ms since 1970. */
  readonly begunAt: number;
}

const pattern = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)-(.+)\.jsonl$/;

/** Null: it is not the name of a thread's file. */
export function parseRolloutName(name: string): RolloutName | null {
  const [, date, time = "", threadId = ""] = pattern.exec(name) ?? [];
  if (date === undefined) return null;
  const begunAt = Date.parse(`${date}T${time.replaceAll("-", ":")}`) || 0; // a local time, as it was written
  return { threadId, day: date.split("-"), begunAt };
}

/** The day's folders and the file name of a new thread. */
export function toRolloutPlace(threadId: string, now: number): readonly string[] {
  const [date, time] = toLocalTime(now);
  return [...date.split("-"), `rollout-${date}T${time}-${threadId}.jsonl`];
}

/** The folders of a day: year, month, day. */
export function toDay(ms: number): readonly string[] {
  return toLocalTime(ms)[0].split("-");
}

/** The ms since 1970 in a UUID of version 7 (RFC 9562); null for any other id. */
export function readIdTime(threadId: string): number | null {
  const [, high = "", low = ""] = /^([\da-f]{8})-([\da-f]{4})-7/i.exec(threadId) ?? [];
  return high === "" ? null : Number.parseInt(high + low, 16);
}

function toLocalTime(ms: number): readonly [date: string, time: string] {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  return [
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    `${two(date.getHours())}-${two(date.getMinutes())}-${two(date.getSeconds())}`,
  ];
}
