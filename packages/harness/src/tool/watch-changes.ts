import { agentToolNames, builtinToolNames, type CallGate, type GatedCall } from "@unroll/tools";
import type { ThreadBase } from "../base/thread-base.ts";

type ChangePlace = Pick<ThreadBase, "own" | "settings" | "shared">;

interface ChangeWatch extends Disposable {
  readonly gate: CallGate;
}

/**
 * From a thread's first call on that may change any file, nothing stays known about paths until the thread is closed: such a call may
 * work on when it has ended for us. The runner does the same for commands outside of the sandbox, while they run.
 */
export function watchChanges(gate: CallGate, place: ChangePlace): ChangeWatch {
  let change: Disposable | null = null;
  return {
    gate: {
      judge(call, context) {
        if (changesAnything(call, place)) change ??= place.shared.backends.paths.suspend();
        return gate.judge(call, context);
      },
    },
    [Symbol.dispose]: () => change?.[Symbol.dispose](),
  };
}

const knownTools: readonly string[] = [...builtinToolNames, ...Object.values(agentToolNames).flat()];

/** Our tools change nothing but what the commands and patches among them change. */
function changesAnything(call: GatedCall, { own, settings }: ChangePlace): boolean {
  switch (call.type) {
    case "command":
    case "host":
      return false;
    case "patch":
      return settings.sandbox.policy.mode === "danger-full-access" || call.outsideRoots.length > 0;
    case "tool":
      return own.tools.some(({ name }) => name === call.tool) || !knownTools.includes(call.tool);
    case "mcp":
      return true;
  }
}
