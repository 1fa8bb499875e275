import * as z from "zod";
import type { CallGate, CallVerdict, GateContext, GatedCall } from "../port/call-gate.ts";
import { describeError } from "../tool/describe-error.ts";

/**
 * Asks the gate. An unknown verdict or an exception is a denial with a warning: nothing runs by
 * mistake. Rejects only when the call is no longer wanted.
 */
export async function judgeCall(gate: CallGate, call: GatedCall, context: GateContext): Promise<CallVerdict> {
  const { verdict, fault } = await askGate(gate, call, context);
  context.signal.throwIfAborted();
  if (verdict !== null) return verdict;
  await context.emit({ type: "warning", message: `A call was refused, as ${fault}.` });
  return { type: "declined", message: `${fault}. Go on without it, and say in the end what was needed.` };
}

async function askGate(
  gate: CallGate,
  call: GatedCall,
  context: GateContext,
): Promise<{ readonly verdict: CallVerdict | null; readonly fault: string }> {
  try {
    const verdict = verdictSchema.safeParse(await gate.judge(call, context)).data ?? null;
    return { verdict, fault: "the gate that decides which calls run gave no verdict that is known" };
  } catch (error) {
    return { verdict: null, fault: `the gate that decides which calls run failed: ${describeError(error)}` };
  }
}

/** Strict, as a gate that says more than we know may mean a limit that we would not keep. */
const verdictSchema: z.ZodType<CallVerdict> = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("run"),
    confinement: z.enum(["policy", "none"]),
    environment: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.strictObject({ type: z.literal("declined"), message: z.string(), reason: z.string().exactOptional() }),
  z.strictObject({ type: z.literal("postponed"), reason: z.string() }),
]);
