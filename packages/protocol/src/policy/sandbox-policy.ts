import type { CommandLimits, GitAccess, HostLists } from "./sandbox-settings.ts";

/**
 * The permissions of commands and patches, settled once, when a thread starts. Sandbox, patch gate,
 * prompt and `sandbox --explain` all read this one value. Plain data that can be written as JSON.
 * Every path is absolute, with links followed as far as it existed then. `resolveSandboxPolicy` of
 * `@unroll/sandbox` makes one.
 */
export type SandboxPolicy = ConfinedPolicy | FullAccessPolicy;

/** A policy with a sandbox. */
export type ConfinedPolicy = ReadOnlyPolicy | WorkspaceWritePolicy;

/** Commands read, and change nothing. */
interface ReadOnlyPolicy extends AnyConfinedPolicy {
  readonly mode: "read-only";
  readonly network: { readonly type: "closed" };
}

/** Commands write in some folders. */
export interface WorkspaceWritePolicy extends AnyConfinedPolicy {
  readonly mode: "workspace-write";
  readonly network: NetworkAccess;
  /** The folders that commands may write, and all below; the working folder first. None lies in a `readOnly` path. */
  readonly roots: readonly WritableRoot[];
  /** Paths that commands never write, inside or outside a root, and everything below them. */
  readonly readOnly: readonly ReadOnlyPath[];
  readonly git: GitAccess;
}

/** No sandbox. */
interface FullAccessPolicy {
  readonly mode: "danger-full-access";
}

interface AnyConfinedPolicy {
  /** Files and folders that commands cannot read; some may not exist. */
  readonly hidden: readonly string[];
  /** As of `SandboxSettings`. */
  readonly allowWeaker: boolean;
  readonly limits: CommandLimits;
}

/** Whether commands reach the network. */
export type NetworkAccess =
  | { readonly type: "closed" }
  | { readonly type: "open" }
  /** Only these hosts, by a proxy; presets are resolved. */
  | ({ readonly type: "hosts" } & HostLists);

/** A folder that commands may write, except the read-only paths in it. */
export interface WritableRoot {
  readonly path: string;
  /** `work`: named by a person, what commands work on. `temporary`: `/tmp` and `$TMPDIR`. */
  readonly kind: "work" | "temporary";
  /** The folder at the path when the policy was settled. A different one there must not be written. */
  readonly identity: FileIdentity;
}

/** Numbers of the file system, in decimal: they may be larger than a JavaScript number can hold. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** A path below a writable folder that commands may read and not write. */
export interface ReadOnlyPath {
  readonly path: string;
  /**
   * `harness`: the program's own files: config, rules, skills, credentials, threads, state, code. `agent`: `.codex` and
   * `.agents`, which steer this and other agents. It may be missing, and must then stay so; one of `agent` that commands
   * made all the same is put aside.
   */
  readonly kind: "harness" | "agent";
}
