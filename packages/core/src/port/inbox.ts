import type { ResponseItem } from "@unroll/protocol";

/** What people send while a turn runs. */
export interface Inbox {
  /** Takes out everything that waits, in order of arrival; empty when nothing does. Called before each request. */
  drain(): readonly ResponseItem[];
}
