/**
 * When a model that repeats itself gets a message about it, and when it is stopped. Both count
 * steps in a row without anything new.
 */
export interface RepeatLimits {
  /** Null: there is no such message. */
  readonly nudgeAfter: number | null;
  /** Null: it is never stopped. */
  readonly stopAfter: number | null;
}
