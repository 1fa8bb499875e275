import * as z from "zod";
import { toByteBudget } from "../output/cap-text.ts";

/** How long a call waits for a command, and how much of its output it gives back. */
type WaitFields = {
  readonly yield_time_ms: z.ZodOptional<z.ZodNumber>;
  readonly max_output_tokens: z.ZodOptional<z.ZodNumber>;
};

export type WaitInput = z.output<z.ZodObject<WaitFields>>;

const maxYieldMs = 300_000;

/** `defaultTime` says it in words. More than the bounds allow is taken as the bound. */
export function waitFields(defaultTime: string): WaitFields {
  return {
    yield_time_ms: z
      .number()
      .min(0)
      .describe(`How long to wait for the command, in ms. Default ${defaultTime}, at most ${maxYieldMs}.`)
      .optional(),
    max_output_tokens: z
      .number()
      .min(1)
      .describe("How much of the output to give back. Default: as much as is allowed.")
      .optional(),
  };
}

export function toYieldMs({ yield_time_ms: ms }: WaitInput, defaultMs: number): number {
  return Math.min(ms ?? defaultMs, maxYieldMs);
}

export function toMaxBytes({ max_output_tokens: tokens }: WaitInput, allowedBytes: number): number {
  return tokens === undefined ? allowedBytes : Math.min(toByteBudget(Math.floor(tokens)), allowedBytes);
}
