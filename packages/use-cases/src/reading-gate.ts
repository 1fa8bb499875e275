import type { CallGate } from "@unroll/harness";

type CallVerdict = Awaited<ReturnType<CallGate["judge"]>>;
type GatedCall = Parameters<CallGate["judge"]>[0];

const declined: CallVerdict = {
  type: "declined",
  message:
    "Plan mode is on: nothing may be changed and nothing may run outside the read-only sandbox until the person has approved the plan. Go on reading, or give the plan as your answer.",
  reason: "Plan mode only reads.",
};

/**
 * The gate of a thread that may be in plan mode: then it lets through only what cannot change anything, whatever rules,
 * policy or an earlier yes say. The calls that it lets through run in the read-only sandbox; input for a command that
 * was started before, in its own sandbox, asks to leave it.
 */
export function createPlanGate(own: CallGate, isOn: () => boolean): CallGate {
  return {
    async judge(call, context) {
      if (!isOn()) return own.judge(call, context);
      if (!isReading(call)) return declined;
      const verdict = await own.judge(call, context);
      return verdict.type === "run" && verdict.confinement === "none" && call.type === "command" ? declined : verdict;
    },
  };
}

function isReading(call: GatedCall): boolean {
  switch (call.type) {
    case "command":
      return call.denial === null && call.request.sandboxPermissions === "use_default";
    case "patch":
      return false;
    case "mcp":
      return call.readOnly;
    case "tool":
      return call.approval === "run";
  }
}
