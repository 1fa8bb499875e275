import type { Origin } from "./origin.ts";

/**
 * Something in the configuration that has no effect, or not the one that was probably meant. Never fatal, but for `effort_refused`: a thread
 * that is opened with it is refused.
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
  /** One sentence for a person: where, what, what to do. */
  readonly message: string;
  /** Dotted; absent where it is about no single key. */
  readonly key?: string;
  /** Where that key is set; absent where it is about no single place. */
  readonly origin?: Origin;
}
