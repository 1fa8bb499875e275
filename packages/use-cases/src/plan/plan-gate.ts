import type { CallGate } from "@unroll/harness";
import { createReadingGate, type DeclinedCall } from "../reading-gate.ts";

const declined: DeclinedCall = {
  type: "declined",
  message:
    "Plan mode is on: nothing may be changed and nothing may run outside the read-only sandbox until the person has approved the plan. Go on reading, or give the plan as your answer.",
  reason: "Plan mode only reads.",
};

/** The gate of a thread that may be in plan mode. */
export function createPlanGate(own: CallGate, isOn: () => boolean): CallGate {
  return createReadingGate(own, () => (isOn() ? declined : null));
}
