import { createMemoryPatchFiles, type MemoryPatchFiles } from "@unroll/apply-patch";
import { type Clock, forEach } from "@unroll/flow";
import type {
  CapturedOutput,
  CommandOutcome,
  CommandOutput,
  CommandSpec,
  FunctionCallItem,
  ResponseItem,
  ThreadEvent,
  ThreadNotes,
  ThreadNoteValues,
  ToolCallItem,
} from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import {
  type AfterCall,
  type BuiltinToolOptions,
  type CallGate,
  type CallVerdict,
  type CommandRequest,
  type CommandRunner,
  createBackgroundCommands,
  createToolRegistry,
  createToolRuntime,
  type GatedCall,
  type OutputFiles,
  type BackgroundCommandRunner,
  type Tool,
  type UserShell,
} from "@unroll/tools";

/** Stands still until moved; sleepers wake when it passes their time. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  readonly sleepers: number;
}

/** Where a fake clock begins. */
export const noon = Date.UTC(2026, 10, 20, 12);

export function createFakeClock(): FakeClock {
  let elapsed = 0;
  const sleeping = new Map<() => void, number>();
  return {
    now: () => noon + elapsed,
    elapsed: () => elapsed,
    async sleep(ms, signal) {
      if (signal.aborted || ms === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      sleeping.set(resolve, elapsed + ms);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
      sleeping.delete(resolve);
    },
    setTimer(ms, run) {
      const fire = (): void => {
        sleeping.delete(fire);
        run();
      };
      sleeping.set(fire, elapsed + ms);
      return () => sleeping.delete(fire);
    },
    advance(ms) {
      elapsed += ms;
      for (const [wake, at] of sleeping) if (at <= elapsed) wake();
    },
    get sleepers() {
      return sleeping.size;
    },
  };
}

export interface RuntimeOptions {
  readonly outputTokens?: number;
  readonly clock?: Clock;
  readonly outputFiles?: OutputFiles;
  readonly gate?: CallGate;
  readonly afterCall?: AfterCall;
  readonly secrets?: SecretMask;
}

export function createRuntime(
  tools: readonly Tool[],
  options: RuntimeOptions = {},
): ReturnType<typeof createToolRuntime> {
  return createToolRuntime({
    registry: createToolRegistry(tools),
    gate: options.gate ?? createGate(),
    outputTokens: options.outputTokens ?? 10_000,
    clock: options.clock ?? createFakeClock(),
    ...(options.outputFiles && { outputFiles: options.outputFiles }),
    ...(options.afterCall && { afterCall: options.afterCall }),
    ...(options.secrets && { secrets: options.secrets }),
  });
}

export function functionCall(name: string, args: unknown, callId = "call_1"): FunctionCallItem {
  return {
    type: "function_call",
    call_id: callId,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  };
}

/** A `tool_call` as it begins, and what makes it its end. */
export function toolCall(tool: string, args: unknown, id = "item_0") {
  const item = { id, type: "tool_call", tool, arguments: args, output: null, status: "in_progress" } as const;
  return {
    started: { type: "item.started", item },
    ended: (end: object) => ({ type: "item.completed", item: { ...item, ...end } }),
  };
}

/** The events without those of calls that are shown as a `tool_call`. */
export function withoutToolCalls(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return events.filter((event) => !("item" in event) || event.item.type !== "tool_call");
}

export interface RunResult {
  readonly events: readonly ThreadEvent[];
  readonly items: readonly ResponseItem[];
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Called for each event as it comes. */
  readonly onEvent?: (event: ThreadEvent) => void;
}

/** The fields that all items of a call share. */
interface CallFacts {
  readonly callId?: string;
  readonly startedAt?: number;
  readonly durationMs?: number;
}

/** The events with what all items of a call say: its id and times, and of commands and patches their folder. Others stay as they are. */
export function withFacts(
  events: readonly object[],
  { callId = "call_1", startedAt = noon, durationMs = 0 }: CallFacts = {},
): readonly object[] {
  return events.map((event) => {
    if ("answer" in event) return { ...event, answered_at: startedAt };
    if (!("item" in event) || typeof event.item !== "object" || event.item === null) return event;
    const { item } = event;
    if (!("status" in item) || !("type" in item)) return event;
    const hasFolder = item.type === "command_execution" || item.type === "file_change";
    const hasEnded = item.status !== "in_progress";
    const facts = { call_id: callId, started_at: startedAt, ...(hasEnded && { duration_ms: durationMs }) };
    return { ...event, item: { ...facts, ...(hasFolder && { cwd: "/project" }), ...item } };
  });
}

/** Runs the calls as one response and takes everything that comes. */
export async function runCalls(
  runtime: ReturnType<typeof createToolRuntime>,
  calls: readonly ToolCallItem[],
  options: RunOptions = {},
): Promise<RunResult> {
  const events: ThreadEvent[] = [];
  let nextId = 0;
  const running = runtime.run(calls, {
    signal: options.signal ?? new AbortController().signal,
    nextItemId: () => `item_${nextId++}`,
  });
  const items = await forEach(running, (event) => {
    options.onEvent?.(event);
    events.push(event);
  });
  return { events, items };
}

/** The text of the only output. */
export function outputText({ items }: RunResult): string {
  const [item] = items;
  if (item?.type !== "function_call_output" && item?.type !== "custom_tool_call_output") throw new Error("no output");
  if (typeof item.output !== "string") throw new Error("no text");
  return item.output;
}

/** A short output, captured as a whole. */
export function captured(text: string): CapturedOutput {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return {
    text,
    totalBytes: new TextEncoder().encode(text).length,
    totalLines: lines,
    omittedBytes: 0,
    omittedLines: 0,
  };
}

export function exited(text: string, exitCode = 0): CommandOutcome {
  return { type: "exited", exitCode, signal: null, durationMs: 1_234, output: captured(text) };
}

export interface FakeRunner extends CommandRunner {
  readonly specs: readonly CommandSpec[];
}

/** A command that does as the test says. */
export interface FakeProcess {
  readonly spec: CommandSpec;
  readonly hasTerminal: boolean;
  /** The input that was typed. */
  readonly typed: string[];
  /** Resolves when the output has been taken. */
  readonly say: (text: string) => Promise<void>;
  readonly exit: (outcome: CommandOutcome) => void;
}

export interface InteractiveRunner extends CommandRunner, BackgroundCommandRunner {
  /** The command that was started last. */
  readonly last: FakeProcess;
  /** The command that is started next. */
  nextStart(): Promise<FakeProcess>;
}

/** Commands run until the test or an abort ends them. */
export function createInteractiveRunner(onStart: (process: FakeProcess) => void = () => {}): InteractiveRunner {
  const started: FakeProcess[] = [];
  let nextStart = Promise.withResolvers<FakeProcess>();

  function start(spec: CommandSpec, signal: AbortSignal, hasTerminal: boolean) {
    const typed: string[] = [];
    const waiting: { readonly text: string; readonly taken: () => void }[] = [];
    let whole = "";
    let outcome: CommandOutcome | null = null;
    let news = Promise.withResolvers<void>();
    const tell = (): void => news.resolve();
    signal.addEventListener("abort", tell);
    const process: FakeProcess = {
      spec,
      hasTerminal,
      typed,
      say(text) {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push({ text, taken: resolve });
        whole += text;
        tell();
        return promise;
      },
      exit(ended) {
        outcome = "output" in ended ? { ...ended, output: captured(whole) } : ended;
        tell();
      },
    };
    started.push(process);
    nextStart.resolve(process);
    nextStart = Promise.withResolvers();
    onStart(process);
    async function* output(): AsyncGenerator<CommandOutput, CommandOutcome> {
      for (;;) {
        for (const { text, taken } of waiting.splice(0)) {
          yield { type: "output", stream: "stdout", text };
          taken();
        }
        if (outcome) return outcome;
        if (signal.aborted) return { type: "aborted", durationMs: 1_000, output: captured(whole) };
        await news.promise;
        news = Promise.withResolvers();
      }
    }
    return { output: output(), write: (text: string) => void typed.push(text), resize: () => {} };
  }

  return {
    nextStart: () => nextStart.promise,
    get last() {
      const last = started.at(-1);
      if (!last) throw new Error("nothing was started");
      return last;
    },
    async *run(spec, signal) {
      return yield* start(spec, signal, false).output;
    },
    async startBackgroundCommand({ terminal: _terminal, ...spec }, signal) {
      return { type: "opened", session: start(spec, signal, true) };
    },
  };
}

export interface FakeOutputFiles extends OutputFiles {
  /** By path, in order of creation. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that are still open. */
  readonly openPaths: ReadonlySet<string>;
}

/** Each holds at most `maxBytes`, of ASCII. */
export function createFakeOutputFiles(maxBytes = Infinity): FakeOutputFiles {
  const texts = new Map<string, string>();
  const openPaths = new Set<string>();
  return {
    texts,
    openPaths,
    async open() {
      const path = `/state/output-${texts.size + 1}.txt`;
      texts.set(path, "");
      openPaths.add(path);
      let droppedBytes = 0;
      return {
        path,
        get keptBytes() {
          return texts.get(path)?.length ?? 0;
        },
        get droppedBytes() {
          return droppedBytes;
        },
        async write(text) {
          const whole = `${texts.get(path)}${text}`;
          texts.set(path, whole.slice(0, maxBytes));
          droppedBytes += Math.max(whole.length - maxBytes, 0);
        },
        async close() {
          openPaths.delete(path);
        },
      };
    },
  };
}

/** Writes what the outcome holds in one piece, then ends with it. */
export function createFakeRunner(outcome: CommandOutcome): FakeRunner {
  const specs: CommandSpec[] = [];
  return {
    specs,
    async *run(spec): AsyncGenerator<CommandOutput, CommandOutcome> {
      specs.push(spec);
      if ("output" in outcome && outcome.output.text !== "")
        yield { type: "output", stream: "stdout", text: outcome.output.text };
      return outcome;
    },
  };
}

export interface FakeGate extends CallGate {
  readonly calls: readonly GatedCall[];
  /** The calls of commands. */
  readonly requests: readonly CommandRequest[];
}

/** Lets everything run inside the sandbox, unless told what to say. */
export function createGate(
  judge: (call: GatedCall) => CallVerdict = () => ({ type: "run", confinement: "policy" }),
): FakeGate {
  const calls: GatedCall[] = [];
  return {
    calls,
    get requests() {
      return calls.flatMap((call) => (call.type === "command" ? [call.request] : []));
    },
    async judge(call) {
      calls.push(call);
      return judge(call);
    },
  };
}

export function createDenyingGate(message: string): FakeGate {
  return createGate(() => ({ type: "declined", message }));
}

export function createNotes(): ThreadNotes {
  let values: ThreadNoteValues = {
    name: null,
    told: null,
    toldFiles: null,
    spent: null,
    plan: null,
    approved: [],
    mcpListed: null,
    mcpTold: null,
    waiting: [],
    held: [],
    parent: null,
    agentsTold: [],
    ofProgram: {},
    notCompacted: null,
  };
  return {
    get: (key) => values[key],
    set(key, value) {
      values = { ...values, [key]: value };
    },
  };
}

const bash: UserShell = {
  name: "bash",
  allowsLogin: true,
  toArgv: (script, { login, program = "bash" }) => [program, login ? "-lc" : "-c", script],
};

export interface FakePorts extends BuiltinToolOptions {
  readonly runner: FakeRunner;
  readonly patchFiles: MemoryPatchFiles;
}

/**
 * Ports for all built-in tools, in `/project`: commands end well without a word, everything below it is writable, and
 * nothing below `/secret` may be read.
 */
export function createPorts(files: Readonly<Record<string, string>> = {}): FakePorts {
  return {
    cwd: "/project",
    family: { shellTool: "shell_command", applyPatchTool: "custom" },
    webSearch: "disabled",
    seesImages: true,
    shell: bash,
    runner: createFakeRunner(exited("")),
    backgroundCommands: createBackgroundCommands({
      runner: createInteractiveRunner(),
      clock: createFakeClock(),
      firstId: 1,
    }),
    patchFiles: createMemoryPatchFiles({ "/project/.keep": "", ...files }),
    access: {
      judgeWrites: () => (path) => path.startsWith("/project/"),
      canRead: (path) => !path.startsWith("/secret/"),
    },
    threadId: "thread_1",
    notes: createNotes(),
    person: null,
    images: { read: async (path) => ({ error: `${path} is not there.` }) },
  };
}
