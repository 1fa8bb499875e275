import type { ToolCallItem } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { AfterCall, AfterCallContext, FinishedToolCall } from "../port/after-call.ts";
import type { ToolResult } from "../tool/tool.ts";
import type { CallEnding } from "./settle-call.ts";
import { parseAnswer } from "./parse-answer.ts";

type RanCall = Extract<CallEnding, { readonly type: "ending.ran" }>;

export interface ResultReview extends AfterCallContext {
  readonly call: ToolCallItem;
  readonly afterCall: AfterCall;
  /** The output without secrets. */
  readonly mask: (output: ToolResult["output"]) => ToolResult["output"];
}

/** The call with the result that the model gets; `withheld` in its place where the look at it failed. */
export async function reviewResult(ran: RanCall, review: ResultReview): Promise<CallEnding> {
  const { call, afterCall, mask, ...context } = review;
  const finished: FinishedToolCall = { call, output: mask(ran.result.output), fault: ran.fault ?? null };
  try {
    const replaced = await afterCall(finished, context);
    if (replaced === null) return ran;
    const parsed = parseAnswer({ output: replaced.output });
    if (parsed.type === "rejected") return withhold(`The check after the call ${parsed.fault}.`);
    const reason = String(replaced.reason);
    await context.emit({ type: "warning", message: `The result of ${call.name} was replaced: ${reason}` });
    return { ...ran, result: { ...ran.result, output: parsed.result.output } };
  } catch (error) {
    context.signal.throwIfAborted();
    return withhold(`The check after the call failed: ${describeThrown(error)}`);
  }
}

function withhold(reason: string): CallEnding {
  const output = `The call ran, but its result was withheld. ${reason}\nDo not repeat the call; continue without its result.`;
  return { type: "ending.stopped", status: "failed", reason: `Its result was withheld. ${reason}`, output };
}
