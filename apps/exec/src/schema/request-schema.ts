import { exactly, type CacheMiss, type FirstDifference, type RequestCache, type TokenUsage } from "@unroll/protocol";
import * as z from "zod";

export const usageSchema: z.ZodObject<{ readonly [Field in keyof TokenUsage]: z.ZodInt }> = z.object({
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_input_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_output_tokens: z.int(),
});

/** The first thing that is not as it was. */
export const differenceSchema: z.ZodType<FirstDifference> = exactly<FirstDifference>()(
  z.object({ index: z.int().nullable(), type: z.string() }),
);

const missSchema: z.ZodType<CacheMiss> = exactly<CacheMiss>()(
  z.union([
    z.object({
      type: z.enum([
        "model_changed",
        "provider_changed",
        "instructions_changed",
        "tools_changed",
        "settings_changed",
        "epoch_opened",
        "other_input",
        "history_changed",
        "other_program",
      ]),
      first_difference: differenceSchema,
      cause: z.string(),
    }),
    z.object({ type: z.enum(["not_reported", "too_short", "expired", "unexplained"]), cause: z.string() }),
  ]),
);

export const cacheSchema: z.ZodType<RequestCache> = exactly<RequestCache>()(
  z.object({
    prefix_bytes: z.int(),
    shared_bytes: z.int(),
    shared_tokens: z.int(),
    cached_tokens: z.int().nullable(),
    cache_write_tokens: z.int().nullable(),
    idle_ms: z.number().nullable(),
    miss: missSchema.nullable(),
  }),
);
