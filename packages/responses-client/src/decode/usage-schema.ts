import type { ResponseUsage } from "@unroll/protocol";
import * as z from "zod";

const count = z.number().optional().catch(undefined);

/** Tokens as a server counts them; null where it sent none, or none that can be read. */
export const usageSchema: z.ZodType<ResponseUsage | null> = z
  .object({
    input_tokens: z.number(),
    input_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(null),
    output_tokens: z.number(),
    output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
    total_tokens: z.number().optional().catch(undefined),
  })
  .transform((usage) => ({ ...usage, total_tokens: usage.total_tokens ?? usage.input_tokens + usage.output_tokens }))
  .nullable()
  .catch(null);
