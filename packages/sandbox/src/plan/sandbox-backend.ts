import type { ProgramFile } from "@unroll/process-tree";

/** The processors that a system call filter can be built for, in Node's names. */
export type Architecture = "x64" | "arm64";

/** The sandbox that this machine can build. `probeSandbox` finds it. */
export type SandboxBackend = BubblewrapBackend | LandlockBackend | SeatbeltBackend | UnavailableBackend;

/** Linux: namespaces and mounts by the system's bwrap, system calls by a seccomp filter. */
export interface BubblewrapBackend {
  readonly type: "bubblewrap";
  /** At a place that commands cannot write. */
  readonly file: ProgramFile;
  readonly architecture: Architecture;
  /** The harness runs as uid 0. */
  readonly isRoot: boolean;
  /** We are root of the machine itself, and the system sets no limit on this user's processes. */
  readonly hasFreeProcesses: boolean;
  /** Which of the two ways into a sandbox work: with a user namespace, or without one (root only). */
  readonly withUserNamespace: boolean;
  readonly withoutUserNamespace: boolean;
  /**
   * Whether a sandbox gets a `/proc` of its own. False where none can be mounted, as in many
   * containers: commands read the container's, always in a user namespace, because only that keeps
   * them out of the processes in it.
   */
  readonly hasOwnProc: boolean;
}

/** Linux, weaker: file writes by Landlock, system calls by seccomp, both set up by a small Perl program. */
export interface LandlockBackend {
  readonly type: "landlock";
  /** Perl, at a place that commands cannot write. */
  readonly file: ProgramFile;
  readonly architecture: Architecture;
  /** Why no stronger sandbox works here. */
  readonly reason: string;
  /** Advice for the user on how to get the full sandbox; empty: none is known. */
  readonly remedy: string;
}

/** macOS: a Seatbelt profile. */
export interface SeatbeltBackend {
  readonly type: "seatbelt";
  readonly file: ProgramFile;
}

/** No sandbox works here: commands that need one are refused. */
export interface UnavailableBackend {
  readonly type: "unavailable";
  readonly reason: string;
  /** Advice for the user; empty: none is known. */
  readonly remedy: string;
}
