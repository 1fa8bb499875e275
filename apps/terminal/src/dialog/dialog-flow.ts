import type { Choice, DialogAnswer } from "@unroll/screen";

/** A dialog of one or more choices, one after the other. Pure: `next` may be called again with another answer. */
export interface DialogFlow<Result> {
  readonly choice: Choice;
  /** For answers typed as lines: the option that takes a line that names no option; null: a line must name an option. */
  readonly typed: string | null;
  /** Null: you left. */
  next(answer: DialogAnswer | null): FlowStep<Result>;
}

export type FlowStep<Result> =
  | { readonly type: "done"; readonly result: Result }
  | { readonly type: "asked"; readonly flow: DialogFlow<Result> };

export function done<Result>(result: Result): FlowStep<Result> {
  return { type: "done", result };
}

export function asked<Result>(flow: DialogFlow<Result>): FlowStep<Result> {
  return { type: "asked", flow };
}
