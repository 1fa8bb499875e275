import type { Approval } from "../port/call-gate.ts";
import type { PlannedCall, ToolAnswer, ToolContext } from "./tool.ts";

/** A call without planning: its question for the gate, and its work. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** By default `run`. */
  readonly approval?: Approval;
  readonly run: (context: ToolContext) => Promise<ToolAnswer>;
}

/** Any result of an author's `approval` other than `run` asks. */
export function planToolCall({ tool, approval = "run", run, ...call }: ToolCall): PlannedCall {
  return {
    type: "call.planned",
    gated: { type: "tool", tool, arguments: call.arguments, approval: approval === "run" ? "run" : "ask" },
    run: async (_verdict, context) => ({ answer: await run(context) }),
  };
}
