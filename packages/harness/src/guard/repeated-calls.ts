import { createHash } from "node:crypto";
import type { StepFacts, StepGuard, StepVerdict } from "@unroll/core";
import { renderRepetition } from "@unroll/prompt";
import {
  onlyWaited,
  type RepeatLimits,
  type ResponseItem,
  type ToolCallItem,
  type ToolOutputItem,
  type TurnError,
} from "@unroll/protocol";

/**
 * Notices a model that goes in circles: steps in a row of which every call was made before in the turn and had the same
 * result. The model gets one message about it; if it continues, the turn fails (`repeated_calls`). Another result, a new call and a new
 * turn reset the count. Waiting for a background command does not count.
 */
export function createRepeatGuard({ nudgeAfter, stopAfter }: RepeatLimits): StepGuard {
  let turnId = "";
  let last: ResponseItem | null = null;
  /** How many steps in a row brought nothing new. */
  let count = 0;
  let seen = new Set<string>();

  /** The calls of a step that count, since the guard was asked last. */
  function takeCalls({ items }: StepFacts): readonly CallPair[] {
    // Items of an epoch that began since then are ignored: its calls are not new.
    const at = last === null ? -1 : items.lastIndexOf(last);
    last = items.at(-1) ?? null;
    return at < 0 ? [] : pairCalls(items.slice(at + 1)).filter(({ output }) => output[onlyWaited] !== true);
  }

  return {
    // oxlint-disable-next-line require-yield -- what it has to say is its verdict
    async *before(facts): AsyncGenerator<never, StepVerdict> {
      if (facts.failure !== null) return { type: "go" };
      if (facts.turnId !== turnId) [turnId, count, seen] = [facts.turnId, 0, new Set()];
      const calls = takeCalls(facts);
      const latest = calls.at(-1);
      if (latest === undefined) return { type: "go" };
      const marks = calls.map(toMark);
      count = marks.every((mark) => seen.has(mark)) ? count + 1 : 0;
      for (const mark of marks) seen.add(mark);
      if (stopAfter !== null && count >= stopAfter) return { type: "stop", error: explain(count, latest.call.name) };
      return count === nudgeAfter ? { type: "go", say: [renderRepetition()] } : { type: "go" };
    },
  };
}

interface CallPair {
  readonly call: ToolCallItem;
  readonly output: ToolOutputItem;
}

function pairCalls(items: readonly ResponseItem[]): readonly CallPair[] {
  const outputs = new Map(
    items.flatMap((item) =>
      item.type === "function_call_output" || item.type === "custom_tool_call_output" ? [[item.call_id, item]] : [],
    ),
  );
  return items.flatMap((call) => {
    if (call.type !== "function_call" && call.type !== "custom_tool_call") return [];
    const output = outputs.get(call.call_id);
    return output === undefined ? [] : [{ call, output }];
  });
}

/** Differences between outputs of the same command: its duration, and where its output is saved. */
const passingPattern = /^(?:Wall time|Whole output|Output, its first \d+ bytes): .*$/gm;

function toMark({ call, output }: CallPair): string {
  const said = call.type === "function_call" ? call.arguments : call.input;
  const text = typeof output.output === "string" ? output.output : JSON.stringify(output.output);
  const all = JSON.stringify([call.name, said, text.replaceAll(passingPattern, "")]);
  return createHash("sha256").update(all).digest("base64");
}

function explain(count: number, tool: string): TurnError {
  const message = `The model repeated itself: ${count} steps in a row were calls that it had already made, with the same results (the last one: ${tool}). Tell it what to do instead, or raise repeated_calls.stop_after.`;
  return { code: "repeated_calls", message };
}
