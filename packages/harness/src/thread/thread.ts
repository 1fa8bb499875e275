import { type RequestEncoder, runTurn, type ModelClient, type ToolRuntime, type Transcript } from "@unroll/core";
import type { RequestTail } from "@unroll/core";
import { type PromptFiles, type Skill, toUserItems } from "@unroll/prompt";
import type { JsonSchema, ResponseItem, ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import type { McpServerStatus } from "@unroll/mcp";
import type { SessionList } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";
import type { ThreadMcp } from "../mcp/thread-mcp.ts";

/** One conversation: its transcript, tools and connections. Close it when it is no longer used. */
export interface Thread extends AsyncDisposable {
  /** A UUID of version 7. */
  readonly id: string;
  /**
   * Runs one turn. The thread's first begins with `thread.started` and a `warning` for all that was skipped or not understood
   * while the thread was opened; each ends with one terminal event. Returns how it ended. Throws `HarnessError` `thread_busy` while another turn runs. Leaving early stops everything.
   */
  run(input: UserInput, options: RunOptions): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** Queues what a person says while a turn runs: it goes into the turn's next request, or else into the next turn. */
  send(input: UserInput): Promise<void>;
  /** The commands that the model left running. They end with the thread, not with a turn. */
  readonly sessions: SessionList;
  /** The MCP servers of the config, as they are now. */
  mcpServers(): readonly McpServerStatus[];
}

export interface RunOptions {
  /** Interrupts the turn: its commands are stopped, its history stays valid. */
  readonly signal: AbortSignal;
  /** The final message must be JSON of this schema; an answer that is not fails the turn. Absent: any text. */
  readonly outputSchema?: JsonSchema;
}

/** What a thread is made of; put together by `openThread`. */
export interface ThreadParts {
  readonly id: string;
  readonly warnings: readonly string[];
  readonly transcript: Transcript;
  readonly requests: RequestEncoder;
  readonly requestTail: RequestTail;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  readonly mcp: ThreadMcp;
  readonly sessions: SessionList;
  readonly mcpServers: Thread["mcpServers"];
  readonly skills: readonly Skill[];
  readonly files: PromptFiles;
  readonly newId: () => string;
  /** Closes what the parts hold open, in order. */
  readonly close: () => Promise<void>;
}

export function createThread(parts: ThreadParts): Thread {
  const waiting: ResponseItem[] = [];
  let itemCount = 0;
  let turnCount = 0;
  let isRunning = false;
  let sending = Promise.resolve();

  async function* runInput(input: UserInput, options: RunOptions): AsyncGenerator<ThreadEvent, TurnOutcome> {
    const isFirst = turnCount++ === 0;
    if (isFirst) yield { type: "thread.started", thread_id: parts.id };
    const { items, warnings } = await toUserItems(input, parts.skills, parts.files);
    for (const message of [...(isFirst ? parts.warnings : []), ...warnings]) yield { type: "warning", message };
    const ports = { ...parts, inbox: { drain: () => waiting.splice(0) }, nextItemId: () => `item_${itemCount++}` };
    const turnOptions = { turnId: parts.newId(), ...(await toTurnOptions(parts.requestTail, options)) };
    const turn = runTurn(ports, [...parts.mcp.takeAnnouncements(), ...items], turnOptions);
    return yield* parts.mcp.tellEvents(turn);
  }

  return {
    id: parts.id,
    async *run(input, options) {
      if (isRunning)
        throw new HarnessError("thread_busy", "A turn is running in this thread: wait for its end, or send.");
      isRunning = true;
      try {
        return yield* runInput(input, options);
      } finally {
        isRunning = false;
      }
    },
    send(input) {
      // one after the other: what was sent first comes first, however long its skills take to read
      sending = sending.then(
        async () => void waiting.push(...(await toUserItems(input, parts.skills, parts.files)).items),
      );
      return sending;
    },
    sessions: parts.sessions,
    mcpServers: parts.mcpServers,
    [Symbol.asyncDispose]: parts.close,
  };
}

async function toTurnOptions(
  tail: RequestTail,
  { signal, outputSchema }: RunOptions,
): Promise<Omit<Parameters<typeof runTurn>[2], "turnId">> {
  if (outputSchema === undefined) return { signal, request: tail };
  const { checkAnswer } = await import("../schema/check-answer.ts");
  return {
    signal,
    request: { ...tail, outputSchema },
    checkAnswer: (finalMessage) => checkAnswer(finalMessage, outputSchema),
  };
}
