import type { Clock } from "@unroll/flow";
import type { LocalDay } from "@unroll/prompt";

/** What a program knows of the machine it runs on: the values that packages may not look up themselves. */
export interface Host extends Pick<Clock, "now" | "elapsed"> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that commands run in and paths are relative to; absolute. */
  readonly cwd: string;
  /** The user's home folder; absolute. */
  readonly homeDirectory: string;
  /** The day on the user's calendar at a time in ms since 1970, and their time zone. The model is told both. */
  readonly localDay: (at: number) => LocalDay;
  /** As `process.platform` names it. */
  readonly platform: string;
  /**
   * Folders of the program itself, absolute: what it will still load, and the code it keeps compiled. Commands in the sandbox
   * never write there: it would be a way out.
   */
  readonly ownFolders: readonly string[];
  /** Absent: those of this process. */
  readonly timers?: Pick<Clock, "sleep" | "setTimer">;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** A UUID of version 7: ids sort by time. */
  readonly newId: () => string;
}
