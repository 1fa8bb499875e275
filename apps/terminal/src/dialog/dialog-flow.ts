import type { Choice, DialogAnswer } from "@unroll/screen";

/** A dialogue of one or more choices, one behind the other. Pure: `next` may be asked again with another answer. */
export interface DialogFlow<Result> {
  readonly choice: Choice;
  /** Where answers are typed as lines: the option whose text a line is that names no option; null: it has to name one. */
  readonly typed: string | null;
  /** Null: the person left. */
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
