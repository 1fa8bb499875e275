import type { InputEvent, ScreenSize } from "@unroll/screen";

/** What is known when something is typed. */
export interface InputFacts {
  readonly size: ScreenSize;
  /** In ms of the clock. */
  readonly at: number;
}

export type KeyInput = Extract<InputEvent, { readonly type: "key" }>;
