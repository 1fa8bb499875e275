import {
  type ContentPart,
  onlyWaited,
  type ThreadEvent,
  type ToolCallItem,
  type ToolOutputItem,
  withAuthor,
} from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import type { Clock } from "@unroll/flow";
import type { AfterCall } from "../port/after-call.ts";
import type { CallGate, CallVerdict, DeclinedVerdict, GatedCall, RunVerdict } from "../port/call-gate.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { CallContext, PreparedCall, RejectedCall, ToolResult } from "../tool/tool.ts";
import { breakOff, type CallEnding, settleCall } from "./settle-call.ts";
import { checkEnd, checkPlan } from "./check-tool.ts";
import { judgeCall } from "./judge-call.ts";
import { parseAnswer } from "./parse-answer.ts";
import { reviewResult } from "./review-result.ts";
import { createShownCall, type ShownCall } from "./shown-call.ts";
import { toOutputItem } from "./to-output-item.ts";

/** A call that is about to run. */
export interface PendingCall {
  readonly call: ToolCallItem;
  readonly prepared: PreparedCall;
}
export interface FinishedCall {
  /** Null: the call waits for an answer. */
  readonly output: ToolOutputItem | null;
  readonly followUp: NonNullable<ToolResult["followUp"]>;
}

/** Where it is recorded how far a call came. Rejects if that is impossible: the call then does not run. */
export interface CallRecord {
  asked(callId: string): Promise<void>;
  started(callId: string): Promise<void>;
}

export interface CallOptions {
  readonly gate: CallGate;
  readonly clock: Clock;
  /** As of `ToolRuntimeOptions`. */
  readonly outputFiles: OutputFiles | null;
  readonly afterCall: AfterCall | null;
  readonly secrets: SecretMask;
  readonly maxOutputBytes: number;
  readonly nextItemId: () => string;
  readonly signal: AbortSignal;
  readonly emit: (event: ThreadEvent) => Promise<void>;
  readonly calls?: CallRecord;
}

/**
 * Runs one call, from the model's text to its output. Never throws: an exception, an invalid
 * result, and a tool that ignores an abort are endings too. Every call leaves one item, from its
 * start to its end.
 */
export async function runCall({ call, prepared }: PendingCall, options: CallOptions): Promise<FinishedCall> {
  let taken: string | null = null;
  const itemId = (): string => (taken ??= options.nextItemId()); // a call that shows nothing of its own takes no number
  const shown = createShownCall(call, { itemId, emit: options.emit, clock: options.clock });
  const progress = createProgress(call, options.calls);
  const context = toContext(call, { ...options, itemId, emit: shown.emit, progress });
  const judge: Judge = (gated) => judgeCall(options.gate, gated, context);
  const steps = {
    tool: call.name,
    signal: options.signal,
    run: () => takeCheckedSteps({ call, prepared }, { ...options, context, shown, progress, judge }),
  };
  const ending = await settleCall(steps, options.clock);
  if (ending.type === "ending.postponed") {
    await shown.end({ ...ending, type: "ending.stopped", status: "declined", output: "" }, null);
    return { output: null, followUp: [] };
  }
  const result: ToolResult = ending.type === "ending.ran" ? ending.result : ending;
  const { maxOutputBytes: maxBytes, outputFiles: files, secrets } = options;
  const output = await toOutputItem(call, maskOutput(result.output, secrets), { maxBytes, files });
  await shown.end(ending, output);
  const followUp = (result.followUp ?? []).map((item) =>
    withAuthor({ ...item, content: maskParts(item.content, secrets) }, { type: "tool" }),
  );
  const isWait = ending.type === "ending.ran" && ending.onlyWaited === true;
  return { output: isWait ? Object.defineProperty(output, onlyWaited, { value: true }) : output, followUp };
}

type Judge = (gated: GatedCall) => Promise<CallVerdict>;

interface CallSteps {
  readonly shown: ShownCall;
  readonly progress: Progress;
  readonly judge: Judge;
}

/** How far a call has come. */
interface Progress {
  /** Sees each event before the thread gets it. */
  see(event: ThreadEvent): Promise<void>;
  start(): Promise<void>;
  /** Whether it is recorded that the person is asked about the call, of which nothing has run: so a later turn can ask again. */
  readonly isAsked: boolean;
}

/** A question while the call runs does not count: the call may not run again. */
function createProgress({ call_id: id }: ToolCallItem, record: CallRecord | undefined): Progress {
  let state: "planned" | "asked" | "started" = "planned";
  return {
    async see(event) {
      const isQuestion = Reflect.get(Object(event), "type") === "question.asked"; // a tool's event may be anything
      if (!isQuestion || state === "started") return;
      state = "asked";
      await record?.asked(id);
    },
    async start() {
      const wasAsked = state === "asked";
      state = "started";
      if (wasAsked) await record?.started(id);
    },
    get isAsked() {
      return state === "asked" && record !== undefined;
    },
  };
}

/** With the program's look at what came of them. */
async function takeCheckedSteps(
  pending: PendingCall,
  { context, afterCall, secrets, ...steps }: CallOptions & { readonly context: CallContext } & CallSteps,
): Promise<CallEnding> {
  const ending = await takeSteps(pending, context, steps);
  if (afterCall === null || ending.type !== "ending.ran") return ending;
  const { itemId, signal, emit } = context;
  const mask = (output: ToolResult["output"]): ToolResult["output"] => maskOutput(output, secrets);
  return reviewResult(ending, { call: pending.call, afterCall, mask, itemId, signal, emit });
}

/** Before it is cut. */
function maskOutput(output: ToolResult["output"], secrets: SecretMask): ToolResult["output"] {
  return typeof output === "string" ? secrets.mask(output) : maskParts(output, secrets);
}

/** Images stay as they are. */
function maskParts(parts: readonly ContentPart[], { mask }: SecretMask): readonly ContentPart[] {
  return parts.map((part) => ("text" in part ? { ...part, text: mask(part.text) } : part));
}

/** The steps of every call of any tool: plan, show, judge, run, check. */
async function takeSteps(
  { call, prepared }: PendingCall,
  context: CallContext,
  { shown, progress, judge }: CallSteps,
): Promise<CallEnding> {
  if (prepared.type === "call.rejected") return reject(prepared);
  if (context.signal.aborted) return toNeverStarted(context.signal.reason);
  const planned = checkPlan(await prepared.plan(context));
  if (planned.type === "call.rejected") return reject(planned);

  context.signal.throwIfAborted();
  await shown.begin(planned.item);
  const judged = await judgeUnlessStopped(judge, planned.gated, context);
  if (judged === null) return neverApproved;
  if (judged.type === "postponed" && progress.isAsked)
    return { type: "ending.postponed", reason: `It waits for your answer. ${judged.reason}` };
  const verdict = withoutDelay(judged);
  if (verdict.type === "declined") {
    const output = `${planned.refusal ?? "The call was not run"}: ${verdict.message}`;
    return { type: "ending.stopped", status: "declined", reason: verdict.reason ?? verdict.message, output };
  }
  await progress.start();
  const { answer, ...end } = checkEnd(await planned.run(verdict, context));
  if (shown.fault !== null) return breakOff(`The tool ${call.name} failed: ${shown.fault}`);
  const parsed = parseAnswer(answer);
  if (parsed.type === "rejected") return breakOff(`The tool ${call.name} ${parsed.fault}.`);
  return { ...end, type: "ending.ran", result: parsed.result };
}

/** A call that runs cannot wait. */
function withoutDelay(verdict: CallVerdict): RunVerdict | DeclinedVerdict {
  if (verdict.type !== "postponed") return verdict;
  return { type: "declined", message: `${verdict.reason} Nobody answered in time, so it was refused.` };
}

/** Null where the turn was interrupted meanwhile. */
async function judgeUnlessStopped(judge: Judge, gated: GatedCall, context: CallContext): Promise<CallVerdict | null> {
  try {
    return await judge(gated);
  } catch (error) {
    if (context.signal.aborted) return null;
    throw error;
  }
}

const neverApproved: CallEnding = {
  type: "ending.stopped",
  status: "declined",
  reason: "It was not run: the turn was interrupted before it was approved.",
  output: "aborted by user before it was approved; it was not run",
};

/** `cause`: of the abort; a text says why. */
function toNeverStarted(cause: unknown): CallEnding {
  const stopped = { type: "ending.stopped", status: "failed" } as const;
  if (typeof cause === "string") return { ...stopped, reason: `It was not run. ${cause}`, output: `not run: ${cause}` };
  const reason = "The turn was interrupted before it started.";
  return { ...stopped, reason, output: "aborted by user before it started" };
}

function reject({ message, item }: RejectedCall): CallEnding {
  return { type: "ending.stopped", status: "failed", reason: message, output: message, ...(item && { item }) };
}

function toContext(
  { call_id: callId }: ToolCallItem,
  options: Omit<CallOptions, "outputFiles" | "afterCall" | "clock" | "secrets"> & {
    readonly itemId: () => string;
    readonly progress: Progress;
  },
): CallContext {
  const { gate, signal, maxOutputBytes, nextItemId, progress } = options;
  const emit: CallContext["emit"] = (event) => {
    const told = progress.see(event).then(() => options.emit(event));
    told.catch(() => {}); // one that nobody waits for would end the process
    return told;
  };
  const context: CallContext = {
    callId,
    get itemId() {
      return options.itemId();
    },
    signal,
    maxOutputBytes,
    nextItemId,
    emit,
    judge: async (gated) => withoutDelay(await judgeCall(gate, gated, context)),
  };
  return context;
}
