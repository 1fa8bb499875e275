import type { ResponseItem, ThreadEvent, ToolCallItem, ToolSpec } from "@unroll/protocol";
import { checkShape, createSecretMask, type SecretMask } from "@unroll/text";
import { createEventMask, maskStrings } from "../mask/mask-events.ts";
import { toByteBudget } from "../output/cap-text.ts";
import type { AfterCall } from "../port/after-call.ts";
import type { CallGate } from "../port/call-gate.ts";
import { type Clock, flatMap } from "@unroll/flow";
import type { OutputFiles } from "../port/output-files.ts";
import type { ToolRegistry } from "./create-tool-registry.ts";
import { describeError } from "../tool/describe-error.ts";
import type { CallableTool } from "../tool/tool.ts";
import { checkEvent } from "./check-tool.ts";
import { prepareCall } from "./prepare-call.ts";
import { runBatch, toBatches } from "./run-batch.ts";
import type { CallRecord, FinishedCall } from "./run-call.ts";

/** Which tools there are, who judges their calls, and how much of what they say the model gets. */
export interface ToolRuntimeOptions {
  readonly registry: ToolRegistry;
  /** Asked about every call before anything of it runs. */
  readonly gate: CallGate;
  /** How much of one output the model sees, in tokens; read at each run. */
  readonly outputTokens: number;
  readonly clock: Clock;
  /** Where the output of any tool goes whole that is too long for the model. Absent: what is cut is gone. */
  readonly outputFiles?: OutputFiles;
  /** Absent: the model gets each result as it is. */
  readonly afterCall?: AfterCall;
  /** Stands in for these in whatever calls tell and give back. Absent: there are none. */
  readonly secrets?: SecretMask;
}

interface ToolRunContext {
  readonly signal: AbortSignal;
  /** The next free thread item id, `item_N`. */
  readonly nextItemId: () => string;
  /** Records how far a call came. Absent: nothing is recorded. */
  readonly calls?: CallRecord;
}

/**
 * Runs the tool calls of a thread's responses. `core` has a port of this name, which says what the loop needs; this says what
 * these tools give. The harness joins the two, and does not compile where they differ.
 */
export interface ToolRuntime {
  /** In one fixed order for the life of the thread. */
  readonly specs: readonly ToolSpec[];
  /**
   * Runs the calls of one response, side by side where their tools allow it; that no call id comes twice in a thread is the
   * caller's part. Returns one output a call, in call order, then any further items. A call that waits for an answer has none, and the
   * later ones that may not run beside it do not run. Each call is one item with a start and an end. Never throws for what a model or a tool did wrong: that is an output too. After an abort every call still gets
   * its output. Leaving early stops what runs.
   */
  run(calls: readonly ToolCallItem[], context: ToolRunContext): AsyncGenerator<ThreadEvent, readonly ResponseItem[]>;
  /** To be called once when a turn ends: the events that close what tools left open (a plan). */
  endTurn(): readonly ThreadEvent[];
}

const shape = {
  "registry.specs": "a list",
  "registry.callable": "an object",
  "gate.judge": "a function",
  outputTokens: "a number",
  "clock.elapsed": "a function",
} as const;

/** Calls keep their order. */
const earlierWaits =
  "An earlier call of the same response waits for the user's answer. Make this call again if you still need it.";

/** Runs the calls of a response, each through the same steps: read, plan, show, judge, run, check, mask, cap. */
export function createToolRuntime(options: ToolRuntimeOptions): ToolRuntime {
  checkShape("createToolRuntime", options, shape);
  const { registry, gate, clock, outputFiles = null, afterCall = null } = options;
  const { secrets = createSecretMask([]) } = options;
  return {
    specs: maskStrings(registry.specs, secrets.mask),
    async *run(calls, context) {
      const maxOutputBytes = toByteBudget(options.outputTokens);
      const pending = await Promise.all(
        calls.map(async (call) => ({ call, prepared: await prepareCall(registry, call) })),
      );
      const finished: FinishedCall[] = [];
      const told = createEventMask(secrets);
      for (const batch of await toBatches(pending)) {
        const isWaiting = finished.some(({ output }) => output === null);
        const running = runBatch(batch, {
          ...context,
          ...(isWaiting && { signal: AbortSignal.abort(earlierWaits) }),
          gate,
          clock,
          outputFiles,
          afterCall,
          secrets,
          maxOutputBytes,
        });
        finished.push(...(yield* flatMap(running, told.write)));
      }
      yield* told.end();
      return [...finished.flatMap(({ output }) => output ?? []), ...finished.flatMap(({ followUp }) => followUp)];
    },
    endTurn() {
      const closing = [...registry.callable.values(), ...registry.unlisted.kept].flatMap(endTool);
      return maskStrings(closing, secrets.mask);
    },
  };
}

/** One that fails does not keep the turn from its end, nor the others from theirs. */
function endTool(tool: CallableTool): readonly ThreadEvent[] {
  try {
    const events = tool.endTurn?.() ?? [];
    checkShape("its endTurn", { events }, { events: "a list" });
    return events.map((event) => checkEvent("its endTurn", event));
  } catch (error) {
    return [
      { type: "warning", message: `The tool ${tool.name} failed at the end of the turn: ${describeError(error)}` },
    ];
  }
}
