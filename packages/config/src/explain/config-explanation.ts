import type { ConfigWarning } from "../fault/config-warning.ts";
import type { Origin } from "../fault/origin.ts";

/** A value as it may be shown: a credential is `[secret]`. */
interface ShownValue {
  readonly value: unknown;
  /** The same as TOML; empty for null. */
  readonly toml: string;
}

/** Why a key has the value that it has. `value` null: nothing sets it, and it has no default. */
export interface ExplainedKey extends ShownValue {
  /** Dotted, quoted where TOML would quote it. */
  readonly key: string;
  readonly path: readonly string[];
  /** Where it is set; `built_in` for a default, null for nothing. */
  readonly origin: Origin | null;
  /** What a default depends on, in Markdown; null where it depends on nothing, or where the key is set. */
  readonly depends: string | null;
  /** What it is set to elsewhere, and without effect: the nearest first. */
  readonly shadows: readonly (ShownValue & { readonly origin: Origin })[];
  /** What the key means, in Markdown; null where the name says it. */
  readonly meaning: string | null;
}

/** What keys are set to, where, and what is overruled. */
export interface ConfigExplanation {
  /** The key or table that was asked for; empty for all. */
  readonly asked: readonly string[];
  /** In the order of the documentation; then keys with free names, in their order. */
  readonly keys: readonly ExplainedKey[];
  /** What is not read, or has no effect, and why. */
  readonly warnings: readonly ConfigWarning[];
}
