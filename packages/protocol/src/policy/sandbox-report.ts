/** The mechanism that confines a thread's commands on this machine, and its gaps. */
export interface SandboxReport {
  /** `none`: full access. `unavailable`: no sandbox works here, so commands are refused. */
  readonly backend: "bubblewrap" | "landlock" | "seatbelt" | "none" | "unavailable";
  /** Everything that the full sandbox has and this one has not; empty for `none` and `unavailable`. */
  readonly lacks: readonly SandboxGap[];
}

/**
 * - `protected_paths`: commands can write `.git`, `.codex`, `.agents` and unroll's own files; what would make a later
 *   git or unroll run something is put aside after the command
 * - `hidden_files`: commands can read what `sandbox.deny_read` names
 * - `file_modes`: commands can change modes and times of files outside the writable folders
 * - `process_list`: commands see the processes outside
 * - `process_ids`: `/proc` is that of the processes outside: its ids are not those that `kill` takes
 * - `process_end`: a process that hides may outlive its command
 * - `loopback`: nothing can listen on 127.0.0.1
 */
export type SandboxGap =
  | "protected_paths"
  | "hidden_files"
  | "file_modes"
  | "process_list"
  | "process_ids"
  | "process_end"
  | "loopback";
