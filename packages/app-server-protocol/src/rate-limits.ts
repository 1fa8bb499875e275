import * as z from "zod";

const window = z.object({
  usedPercent: z.int(),
  windowDurationMins: z.int().nullable(),
  /** In seconds since 1970. */
  resetsAt: z.int().nullable(),
});

/** How much of the limits of an account is used; null: not known. */
export const rateLimits = z.object({ primary: window.nullable(), secondary: window.nullable() });
