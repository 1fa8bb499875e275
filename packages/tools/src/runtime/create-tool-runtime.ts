import type { Clock } from "@unroll/flow";
import type { ResponseItem, ThreadEvent, ToolCallItem, ToolSpec } from "@unroll/protocol";
import { toByteBudget } from "../output/cap-text.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { ToolRegistry } from "../registry/create-tool-registry.ts";
import type { PreparedCall } from "../tool/tool.ts";
import { prepareCall } from "./prepare-call.ts";
import { type FinishedCall, runBatch, toBatches } from "./run-batch.ts";
import { toOutputItem } from "./to-output-item.ts";

export interface ToolRuntimeOptions {
  readonly registry: ToolRegistry;
  /** How much of one output the model sees, in tokens; read at each run. */
  readonly outputTokens: number;
  readonly clock: Clock;
  /** Where the output of any tool goes whole that is too long for the model. Absent: what is cut is gone. */
  readonly outputFiles?: OutputFiles;
}

export interface ToolRunContext {
  readonly signal: AbortSignal;
  /** The next free thread item id, `item_N`. */
  readonly nextItemId: () => string;
}

/** Runs the tool calls of a thread's responses: what `core` asks of its port of this name. */
export interface ToolRuntime {
  /** In one fixed order for the life of the thread. */
  readonly specs: readonly ToolSpec[];
  /**
   * Runs the calls of one response, side by side where their tools allow it, and no call id twice in the thread. Returns
   * one output a call, in call order, then any further items. Never throws for what a model or a tool did wrong: that is
   * an output too. After an abort every call still gets its output. Leaving early stops what runs.
   */
  run(calls: readonly ToolCallItem[], context: ToolRunContext): AsyncGenerator<ThreadEvent, readonly ResponseItem[]>;
  /** To be called once when a turn ends: the events that close what tools left open (a plan). */
  endTurn(): readonly ThreadEvent[];
}

export function createToolRuntime(options: ToolRuntimeOptions): ToolRuntime {
  const { registry, clock } = options;
  const usedIds = new Set<string>();

  function prepareOnce(call: ToolCallItem): PreparedCall {
    if (usedIds.has(call.call_id)) {
      const message = `The call id ${call.call_id} was used before, and no call runs twice. To run it again make a new call.`;
      return { type: "call.rejected", message };
    }
    usedIds.add(call.call_id);
    return prepareCall(registry, call);
  }

  return {
    specs: registry.specs,
    async *run(calls, context) {
      const maxOutputBytes = toByteBudget(options.outputTokens);
      const finished: FinishedCall[] = [];
      for (const batch of toBatches(calls.map((call) => ({ call, prepared: prepareOnce(call) })))) {
        finished.push(...(yield* runBatch(batch, { ...context, maxOutputBytes, clock })));
      }
      const bounds = { maxBytes: maxOutputBytes, files: options.outputFiles };
      return [
        ...(await Promise.all(finished.map(({ call, result }) => toOutputItem(call, result.output, bounds)))),
        ...finished.flatMap(({ result }) => result.followUp ?? []),
      ];
    },
    endTurn: () => [...registry.callable.values()].flatMap((tool) => tool.endTurn?.() ?? []),
  };
}
