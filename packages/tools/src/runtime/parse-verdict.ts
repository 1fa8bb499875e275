import * as z from "zod";
import type { CallVerdict } from "../port/call-gate.ts";

/** Strict, as a gate that says more than we know may mean a limit that we would not keep. */
const verdictSchema: z.ZodType<CallVerdict> = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("run"),
    confinement: z.enum(["policy", "none"]),
    environment: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.strictObject({ type: z.literal("declined"), message: z.string(), reason: z.string().exactOptional() }),
]);

/** Null for whatever is no verdict. */
export function parseVerdict(value: unknown): CallVerdict | null {
  return verdictSchema.safeParse(value).data ?? null;
}
