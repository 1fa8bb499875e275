import * as z from "zod";

/** Where profiles are not read, asking for it is told as a wrong argument. */
export function loginField(allowsLogin: boolean): z.ZodDefault<z.ZodType<boolean>> {
  if (!allowsLogin) return z.literal(false).describe("The user's profile is not read here.").default(false);
  return z.boolean().describe("Whether the shell first reads the user's profile. Default true.").default(true);
}
