import type { ToolRuntime } from "@unroll/core";
import type { PathMemory } from "@unroll/files";
import { builtinToolNames, type CallGate, type GatedCall } from "@unroll/tools";

interface ChangeWatch {
  readonly gate: CallGate;
  /** Notices when the calls of a response have ended. */
  readonly watch: (runtime: ToolRuntime) => ToolRuntime;
}

/**
 * Nothing stays known about paths while calls run that may change any file. The runner does the same for commands outside of the
 * sandbox.
 */
export function watchChanges(gate: CallGate, paths: Pick<PathMemory, "suspend">): ChangeWatch {
  let change: Disposable | null = null;

  async function* until<Event, Result>(calls: AsyncGenerator<Event, Result>): AsyncGenerator<Event, Result> {
    try {
      return yield* calls;
    } finally {
      change?.[Symbol.dispose]();
      change = null;
    }
  }

  return {
    gate: {
      judge(call, context) {
        if (changesAnything(call)) change ??= paths.suspend();
        return gate.judge(call, context);
      },
    },
    watch: (runtime) => ({ ...runtime, run: (calls, context) => until(runtime.run(calls, context)) }),
  };
}

/** The program's own tools change nothing but what the commands and patches among them change. */
function changesAnything(call: GatedCall): boolean {
  switch (call.type) {
    case "command":
    case "host":
      return false;
    case "patch":
      return call.outsideRoots.length > 0;
    case "tool":
      return !builtinToolNames.some((name) => name === call.tool);
    case "mcp":
      return true;
  }
}
