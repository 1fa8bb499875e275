import { createHash } from "node:crypto";
import type { StepFacts, StepGuard, StepVerdict } from "@unroll/core";
import { renderRepetition } from "@unroll/prompt";
import type { RepeatLimits, ResponseItem, ToolCallItem, ToolOutputItem, TurnError } from "@unroll/protocol";

/**
 * Notices a model that goes in circles: steps in a row of which every call was made before in the turn and had the same
 * result. It is told once, and stopped where it goes on (`repeated_calls`). A result that differs, a new call, and a new
 * turn begin the count anew; waiting for a session that runs counts for nothing.
 */
export function createRepeatGuard({ nudgeAfter, stopAfter }: RepeatLimits): StepGuard {
  const watch = createRepeatWatch();
  return {
    // oxlint-disable-next-line require-yield -- what it has to say is its verdict
    async *before(facts): AsyncGenerator<never, StepVerdict> {
      if (facts.failure !== null) return { type: "go" };
      const { count, isNew } = watch.look(facts);
      if (!isNew) return { type: "go" };
      if (stopAfter !== null && count >= stopAfter) return { type: "stop", error: explain(count, watch.lastTool) };
      return count === nudgeAfter ? { type: "go", say: [renderRepetition()] } : { type: "go" };
    },
  };
}

interface RepeatWatch {
  /** How many steps in a row brought nothing new, and whether there was a step since the last look. */
  look(facts: Pick<StepFacts, "turnId" | "items">): { readonly count: number; readonly isNew: boolean };
  readonly lastTool: string;
}

function createRepeatWatch(): RepeatWatch {
  let turnId = "";
  let last: ResponseItem | null = null;
  let count = 0;
  let lastTool = "";
  let seen = new Set<string>();

  return {
    get lastTool() {
      return lastTool;
    },
    look(facts) {
      if (facts.turnId !== turnId) {
        ({ turnId } = facts);
        [count, seen] = [0, new Set()];
      }
      // the items of an epoch that began since are not looked at: its calls are no new ones
      const at = last === null ? -1 : facts.items.lastIndexOf(last);
      const pairs = at < 0 ? [] : pairCalls(facts.items.slice(at + 1));
      last = facts.items.at(-1) ?? null;
      const counted = pairs.filter((pair) => !isWaiting(pair));
      if (counted.length === 0) return { count, isNew: false };
      lastTool = counted.at(-1)?.call.name ?? "";
      const marks = counted.map(toMark);
      count = marks.every((mark) => seen.has(mark)) ? count + 1 : 0;
      for (const mark of marks) seen.add(mark);
      return { count, isNew: true };
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

/** `write_stdin` that types nothing, at a session that goes on. */
function isWaiting({ call, output }: CallPair): boolean {
  if (call.type !== "function_call" || call.name !== "write_stdin") return false;
  const types = /"(?:chars"\s*:\s*"[^"]|kill"\s*:\s*true)/.test(call.arguments);
  return !types && typeof output.output === "string" && runningPattern.test(output.output);
}

// structure-ignore own-sentences: it compares what the model was told, of threads that are resumed, too
const runningPattern = /^Still running: session \d+$/m;
/** What differs in the output of a command that did the same: how long it took, and where its output is kept. */
const passingPattern = /^(?:Wall time|Whole output|Output, its first \d+ bytes): .*$/gm;

function toMark({ call, output }: CallPair): string {
  const said = call.type === "function_call" ? call.arguments : call.input;
  const text = typeof output.output === "string" ? output.output : JSON.stringify(output.output);
  const all = JSON.stringify([call.name, said, text.replaceAll(passingPattern, "")]);
  return createHash("sha256").update(all).digest("base64");
}

function explain(count: number, tool: string): TurnError {
  const message = `The model went in circles: ${count} steps in a row were calls that it had made before, with the same results (the last one of ${tool}). Say what to do instead, or raise repeated_calls.stop_after.`;
  return { code: "repeated_calls", message };
}
