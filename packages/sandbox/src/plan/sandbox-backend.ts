import type { ProgramFile } from "@unroll/process-tree";

/** The processors that a system call filter can be made for, as Node names them. */
export type Architecture = "x64" | "arm64";

/** What this machine can build walls with, as `probeSandbox` found it. */
export type SandboxBackend = BubblewrapBackend | LandlockBackend | SeatbeltBackend | UnavailableBackend;

/** Linux: namespaces and mounts by the system's bwrap, system calls by a seccomp filter. */
export interface BubblewrapBackend {
  readonly type: "bubblewrap";
  /** Where no command can write. */
  readonly file: ProgramFile;
  readonly architecture: Architecture;
  /** The harness runs as uid 0. */
  readonly isRoot: boolean;
  /** The system holds this user, root of the machine itself, to no number of processes. */
  readonly hasFreeProcesses: boolean;
  /** Which of the two ways into a sandbox work; without a user namespace only root's. */
  readonly withUserNamespace: boolean;
  readonly withoutUserNamespace: boolean;
}

/** Linux, weaker: file writes by Landlock, system calls by seccomp, both set up by a small Perl program. */
export interface LandlockBackend {
  readonly type: "landlock";
  /** Perl, where no command can write. */
  readonly file: ProgramFile;
  readonly architecture: Architecture;
  /** Why there is nothing better. */
  readonly reason: string;
}

/** macOS: a Seatbelt profile. */
export interface SeatbeltBackend {
  readonly type: "seatbelt";
  readonly file: ProgramFile;
}

/** There is none: commands that need one are refused. */
export interface UnavailableBackend {
  readonly type: "unavailable";
  readonly reason: string;
  /** What a person can do about it. */
  readonly remedy: string;
}
