import type { Position } from "./rules-error.ts";

/** Where a rule is written: what a person is shown when it decides. */
export interface RuleLocation extends Position {
  readonly file: string;
}
