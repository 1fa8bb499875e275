import * as z from "zod";

/** Text that an operating system takes as an argument of a program: it ends at a NUL, so it can hold none. */
export const scriptText: z.ZodString = z
  .string()
  .min(1)
  .refine((text) => !text.includes("\0"), "holds a NUL character, which no program can be given");
