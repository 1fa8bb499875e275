import type { Duplex } from "node:stream";
import type { Clock } from "@unroll/flow";
import type { LocalDay } from "@unroll/prompt";

/**
 * The machine that a program runs on, as values that packages may not look up themselves.
 * `nodeHost()` makes one of this process.
 */
export interface Host extends Pick<Clock, "now" | "elapsed"> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that commands run in and paths are relative to; absolute. */
  readonly cwd: string;
  /** The user's home folder; absolute. */
  readonly homeDirectory: string;
  /** The user's local date and time zone at a time in ms since 1970. The model gets both. */
  readonly localDay: (at: number) => LocalDay;
  /** In the words of `process.platform`. */
  readonly platform: string;
  /**
   * Absolute paths of the program's own folders: code that it will still load, and its compiled
   * code. Commands in the sandbox never write there, because that would be a way out of the
   * sandbox.
   */
  readonly ownFolders: readonly string[];
  /** Absent: those of this process. */
  readonly timers?: Pick<Clock, "sleep" | "setTimer">;
  /** Opens a connection to the model server at an `http:` base URL. Absent: over the network. */
  readonly connect?: (baseUrl: string) => Duplex;
  /** The addresses of a host that commands may reach. Absent: those that the system finds. */
  readonly findAddresses?: (name: string) => Promise<readonly string[]>;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** A UUID of version 7: ids sort by time. */
  readonly newId: () => string;
}
