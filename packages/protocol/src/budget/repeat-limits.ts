/** When a model that goes in circles is told so, and when it is stopped. Counts of steps in a row that brought nothing new. */
export interface RepeatLimits {
  /** Null: it is never told. */
  readonly nudgeAfter: number | null;
  /** Null: it is never stopped. */
  readonly stopAfter: number | null;
}
