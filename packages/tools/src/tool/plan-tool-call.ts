import type { Approval } from "../port/call-gate.ts";
import type { PlannedCall, ToolAnswer, ToolContext } from "./tool.ts";

/** A call that needs no planning: what the gate is told of it, and what runs. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** By default `run`. */
  readonly approval?: Approval;
  readonly run: (context: ToolContext) => Promise<ToolAnswer>;
}

/** Whatever an author's `approval` gives that is not `run` asks. */
export function planToolCall({ tool, approval = "run", run, ...call }: ToolCall): PlannedCall {
  return {
    type: "call.planned",
    gated: { type: "tool", tool, arguments: call.arguments, approval: approval === "run" ? "run" : "ask" },
    run: async (_verdict, context) => ({ answer: await run(context) }),
  };
}
