/**
 * Why a configuration cannot be used.
 *
 * - `file_unreadable`: a config file exists but cannot be read.
 * - `toml_invalid`: a file is not TOML.
 * - `value_invalid`: a key has a value that it cannot have.
 * - `key_unknown`: an unknown key that was meant to restrict the model, or a file that has only
 *   unknown keys.
 * - `config_not_strict`: a warning, where warnings are errors (`--strict-config`).
 * - `override_invalid`: the key of a `-c key=value` is not a key.
 * - `profile_unknown`, `provider_unknown`: no such table.
 * - `provider_invalid`, `mcp_server_invalid`: a table lacks a key, or has two that exclude each
 *   other.
 * - `model_catalogue_invalid`: the file of models cannot be used.
 * - `edit_impossible`: a file can only be changed by hand.
 * - `file_locked`: another program is changing the file.
 * - `file_unwritable`: the system does not allow changes to the file.
 * - `folder_not_found`: the working folder is missing, or `CODEX_HOME` and `HOME` are both unset.
 */
type ConfigErrorCode =
  | "file_unreadable"
  | "toml_invalid"
  | "value_invalid"
  | "key_unknown"
  | "config_not_strict"
  | "override_invalid"
  | "profile_unknown"
  | "provider_unknown"
  | "provider_invalid"
  | "mcp_server_invalid"
  | "model_catalogue_invalid"
  | "edit_impossible"
  | "file_locked"
  | "file_unwritable"
  | "folder_not_found";

interface ConfigErrorDetails {
  readonly code: ConfigErrorCode;
  /** One sentence; its place is put in front. Never holds a value that may be a credential. */
  readonly message: string;
  /** Dotted key, quoted where TOML would quote it. */
  readonly key?: string | undefined;
  readonly origin?: Origin | undefined;
  /** The file, where it is wrong as a whole. */
  readonly file?: string | undefined;
}

/** The configuration cannot be used. `message` says where, what is wrong and what was expected. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code: ConfigErrorCode;
  /** Loading the same configuration again gives the same error. */
  readonly retryable = false;
  /** Dotted key; absent when the error is not about one key. */
  readonly key?: string;
  /** Absolute path; absent when the error is not in a file. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column?: number;

  constructor({ code, message, key, origin, file }: ConfigErrorDetails) {
    super(origin === undefined ? message : `${formatOrigin(origin)}: ${message}`);
    this.code = code;
    if (key !== undefined) this.key = key;
    if (file !== undefined) this.file = file;
    if (origin?.type !== "file") return;
    this.file = origin.path;
    this.line = origin.line;
    this.column = origin.column;
  }
}

/** Where a value was set. */
export type Origin =
  /** Line and column are counted from 1; they point at the key. */
  | { readonly type: "file"; readonly path: string; readonly line: number; readonly column: number }
  /** The command line: `-c`, `--model`, … `isOfServer`: of a server, for all its threads, and of no single one. */
  | { readonly type: "argument"; readonly name: string; readonly isOfServer?: boolean }
  | { readonly type: "environment"; readonly name: string }
  /** Changed since the thread was opened, or saved with a thread that was resumed. */
  | { readonly type: "thread" }
  /** A default of this package. */
  | { readonly type: "built_in" };

/** Whether the command line, or a client, set a value for this very thread: it wins over what the thread had before. */
export function isOwnArgument(origin: Origin | undefined): boolean {
  return origin?.type === "argument" && origin.isOfServer !== true;
}

/** Whether a server's command line set a value for all its threads: it widens none of them. */
export function isServerArgument(origin: Origin | undefined): boolean {
  return origin?.type === "argument" && origin.isOfServer === true;
}

/** For the start of a message: `/home/a/.codex/config.toml:3:1`, `-c`, `$OPENAI_BASE_URL`. */
export function formatOrigin(origin: Origin): string {
  switch (origin.type) {
    case "file":
      return `${origin.path}:${origin.line}:${origin.column}`;
    case "argument":
      return origin.name;
    case "environment":
      return `$${origin.name}`;
    case "thread":
      return "this thread";
    case "built_in":
      return "built in";
  }
}

/**
 * A setting that has no effect, or probably not the effect that you meant. A warning is never
 * fatal, except `effort_refused`: a thread with that effort cannot be opened.
 */
export interface ConfigWarning {
  readonly code:
    | "key_unknown"
    | "key_unused"
    | "key_deprecated"
    | "value_ignored"
    | "value_plain"
    | "effort_unknown"
    | "effort_refused"
    | "secret_in_project"
    | "key_ignored_in_project"
    | "project_not_trusted"
    | "project_config_changed"
    | "model_unknown"
    | "model_window_unknown"
    | "provider_undeclared"
    | "add_dir_without_effect";
  /** One sentence for the user: where, what is wrong, what to do. */
  readonly message: string;
  /** Dotted key; absent when the warning is not about one key. */
  readonly key?: string;
  /** Where that key is set; absent when there is no single place. */
  readonly origin?: Origin;
}
