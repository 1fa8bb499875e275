import type { Choice, DialogAct, DialogAnswer } from "@unroll/screen";

/** A dialog of one or more choices, one after the other. `next` and `act` may be called again with something else. */
export interface DialogFlow<Result> {
  readonly choice: Choice;
  /** For answers typed as lines: the option that takes a line that names no option; null: a line must name an option. */
  readonly typed: string | null;
  /** Null: you left. */
  next(answer: DialogAnswer | null): FlowStep<Result>;
  /** Runs one of the choice's actions. Absent: it has none. */
  act?(act: DialogAct): FlowStep<Result>;
}

export type FlowStep<Result> =
  | { readonly type: "done"; readonly result: Result }
  | { readonly type: "asked"; readonly flow: DialogFlow<Result> }
  /** The choice stays as it is until the step is known. If that rejects, the dialog ends with the error. */
  | { readonly type: "awaited"; readonly step: Promise<FlowStep<Result>> };

export function done<Result>(result: Result): FlowStep<Result> {
  return { type: "done", result };
}

export function asked<Result>(flow: DialogFlow<Result>): FlowStep<Result> {
  return { type: "asked", flow };
}

/** Asks a flow first, then takes the next step with its result. */
export function askFirst<First, Result>(
  flow: DialogFlow<First>,
  then: (first: First) => FlowStep<Result>,
): FlowStep<Result> {
  const follow = (step: FlowStep<First>): FlowStep<Result> => {
    switch (step.type) {
      case "done":
        return then(step.result);
      case "asked":
        return askFirst(step.flow, then);
      case "awaited":
        return { type: "awaited", step: step.step.then(follow) };
    }
  };
  const { choice, typed } = flow;
  return asked({
    choice,
    typed,
    next: (answer) => follow(flow.next(answer)),
    act: (wish) => follow(flow.act?.(wish) ?? asked(flow)),
  });
}
