import { Socket } from "node:net";
import { fromNative, toNative } from "@unroll/files";
import { type ProgramFile, spawnProgram } from "@unroll/process-tree";
import type { Architecture } from "../plan/sandbox-backend.ts";
import { watchProgram } from "./watch-program.ts";

/** A name that was added to or removed from a folder. */
export interface FolderChange {
  readonly folder: string;
  /** Null: the folder itself was moved or deleted. */
  readonly name: string | null;
}

/** The changes to the watched folders since the last report. */
type WatchReport =
  | {
      readonly type: "changes";
      readonly changes: readonly FolderChange[];
      /** Folders to be watched that this user may not read. */
      readonly closed: readonly string[];
    }
  /** More changes than the kernel stored, so the known state is out of date. */
  | { readonly type: "overflow" }
  /** The watch has ended. */
  | { readonly type: "failed" };

/** A process to which the kernel reports added and removed names. */
export interface FolderWatch {
  /** Watches `more` folders as well; later reports include their changes. One call at a time. */
  readonly report: (more: readonly string[]) => Promise<WatchReport>;
  readonly forget: (folders: readonly string[]) => void;
  readonly close: () => void;
}

export interface WatchOptions {
  /** Perl, at a place that commands cannot write. */
  readonly perl: ProgramFile;
  readonly architecture: Architecture;
}

/** inotify_init1, inotify_add_watch, inotify_rm_watch. */
const systemCalls: Readonly<Record<Architecture, readonly number[]>> = { x64: [294, 254, 255], arm64: [26, 27, 28] };
/** In ms: how long a report may take. A slower machine is better off without the watch. */
const answerLimitMs = 5_000;
const nul = 0;

/**
 * The process has its own session and ends when its input ends, so it ends with us. It does not
 * keep this process alive.
 */
export function openFolderWatch({ perl, architecture }: WatchOptions): FolderWatch {
  const child = spawnProgram(perl, ["-e", watchProgram, ...systemCalls[architecture].map(String)], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const { stdin, stdout } = child;
  let answer: Buffer[] = [];
  let settle: ((report: WatchReport) => void) | null = null;
  let isOpen = true;

  child.on("error", close);
  child.on("exit", close);
  stdin.on("error", close);
  stdout.on("data", (bytes: Buffer) => {
    answer.push(bytes);
    if (isWhole(answer)) settle?.(parseAnswer(Buffer.concat(answer)));
  });
  child.unref();
  if (stdin instanceof Socket) stdin.unref();
  hold(false);

  function hold(isAwaited: boolean): void {
    if (!(stdout instanceof Socket)) return;
    if (isAwaited) stdout.ref();
    else stdout.unref();
  }

  function close(): void {
    isOpen = false;
    stdin.destroy();
    stdout.destroy();
    // A stopped process would not notice the end of its input.
    child.kill("SIGKILL");
    settle?.({ type: "failed" });
  }

  async function report(more: readonly string[]): Promise<WatchReport> {
    if (!isOpen) return { type: "failed" };
    const { promise, resolve } = Promise.withResolvers<WatchReport>();
    const limit = setTimeout(close, answerLimitMs);
    settle = resolve;
    answer = [];
    hold(true);
    stdin.write(Buffer.concat([...toWords("+", more), Buffer.from("?\0")]));
    try {
      return await promise;
    } finally {
      settle = null;
      clearTimeout(limit);
      hold(false);
    }
  }

  return {
    report,
    forget: (folders) => {
      if (isOpen) stdin.write(Buffer.concat(toWords("-", folders)));
    },
    close,
  };
}

function toWords(verb: string, paths: readonly string[]): readonly Buffer[] {
  return paths.map((path) => Buffer.concat([Buffer.from(verb), Buffer.from(toNative(path)), Buffer.of(nul)]));
}

/** A report ends with an empty word. */
function isWhole(answer: readonly Buffer[]): boolean {
  const end = Buffer.concat(answer.slice(-2));
  return end.at(-1) === nul && (end.length === 1 || end.at(-2) === nul);
}

function parseAnswer(answer: Buffer): WatchReport {
  const words = fromNative(answer).split("\0").slice(0, -2);
  if (words.includes("failed")) return { type: "failed" };
  if (words.includes("overflow")) return { type: "overflow" };
  return {
    type: "changes",
    changes: words.filter((word) => word.startsWith("/")).map(toChange),
    closed: words.filter((word) => word.startsWith("-")).map((word) => word.slice(1)),
  };
}

function toChange(word: string): FolderChange {
  const cut = word.lastIndexOf("/");
  const name = word.slice(cut + 1);
  // In the topmost folder, the path begins with two slashes.
  return { folder: word.slice(0, cut), name: name === "" ? null : name };
}
