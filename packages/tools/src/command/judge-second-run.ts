import type { CommandOutcome } from "@unroll/protocol";
import type { CallVerdict } from "../port/call-gate.ts";
import type { CallContext } from "../tool/tool.ts";
import type { JudgedCommand } from "./plan-command-call.ts";

/** Whether a command that the sandbox stopped runs once more, outside. Null: it was not stopped, so nothing is asked. */
export async function judgeSecondRun(
  { request, verdict }: JudgedCommand,
  outcome: CommandOutcome | null,
  context: CallContext,
): Promise<CallVerdict | null> {
  const denial = outcome !== null && "denial" in outcome ? outcome.denial : undefined;
  if (denial === undefined || verdict.confinement === "none") return null;
  return context.judge({ type: "command", typedAt: null, request, denial });
}
