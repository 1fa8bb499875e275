import type { CallGate } from "@unroll/harness";

type CallVerdict = Awaited<ReturnType<CallGate["judge"]>>;
type GatedCall = Parameters<CallGate["judge"]>[0];

/** How a call is declined. */
export type DeclinedCall = Extract<CallVerdict, { readonly type: "declined" }>;

/**
 * A gate that only lets through calls that cannot change anything, while `findDeclined` returns how to decline the others; null: they pass.
 * Rules, policy and earlier approvals do not matter. Calls that pass must run in a read-only sandbox. Input for a command that was
 * started before, with its own sandbox, is declined.
 */
export function createReadingGate(own: CallGate, findDeclined: () => DeclinedCall | null): CallGate {
  return {
    async judge(call, context) {
      const declined = findDeclined();
      if (declined === null) return own.judge(call, context);
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
    case "host":
      return false;
    case "tool":
      return call.approval === "run";
  }
}
