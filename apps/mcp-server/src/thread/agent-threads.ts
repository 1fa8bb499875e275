import type { ThreadHost, ServedOrigin, ServedThread } from "@unroll/thread-host";
import type { TurnOutcome } from "@unroll/protocol";
import type { ToolCall } from "../call/tool-call.ts";
import type { AgentCall, AgentTurn } from "../tool/agent-call.ts";
import { ArgumentFault } from "../tool/argument-fault.ts";
import { createFollower, type CallFollower } from "./call-follower.ts";

/** So many threads that no call works in stay open; of more, those that were used longest ago are closed, and can be gone on with. */
const maxIdle = 32;

/** The threads that calls work in. */
export interface AgentThreads {
  /** Runs the turn that is asked for, to its end. Throws `ArgumentFault` for a thread in which one runs already. */
  run(asked: AgentCall, call: ToolCall): Promise<AgentTurn>;
}

export interface AgentThreadsParts {
  readonly threadHost: ThreadHost;
  /** Whether the person at the client can be asked. */
  readonly hasPerson: () => boolean;
  /** For stderr. */
  readonly notice: (text: string) => void;
}

interface SeatedThread {
  readonly thread: ServedThread;
  readonly follower: CallFollower;
}

export function createAgentThreads(parts: AgentThreadsParts): AgentThreads {
  const { threadHost } = parts;
  /** By id, in the order in which they were used. */
  const open = new Map<string, Promise<SeatedThread>>();
  /** Those whose call was cancelled, until they are closed. */
  const leaving = new Map<string, Promise<void>>();

  /** It was used now. */
  function keep(id: string, seated: Promise<SeatedThread>): Promise<SeatedThread> {
    open.delete(id);
    open.set(id, seated);
    seated.catch(() => void (open.get(id) === seated && open.delete(id)));
    return seated;
  }

  async function close(id: string): Promise<void> {
    open.delete(id);
    await threadHost.close(id);
  }

  /** Its call was cancelled: what the turn started and left running ends with it. */
  async function leave(id: string, turn: Promise<unknown>): Promise<void> {
    const left = turn.catch(() => {}).then(() => close(id));
    leaving.set(id, left);
    await left.catch(() => {}); // told by whoever waits for it
    leaving.delete(id);
  }

  async function closeIdle(): Promise<void> {
    const idle = [...open.keys()].filter((id) => threadHost.threads.get(id)?.isRunning === false);
    await Promise.all(idle.slice(0, Math.max(0, idle.length - maxIdle)).map(close));
  }

  async function find(threadId: string): Promise<SeatedThread> {
    await leaving.get(threadId);
    const found = open.get(threadId);
    if (found !== undefined) return keep(threadId, found);
    const stored = await (await threadHost.openStore()).load(threadId);
    const id = stored.threadId;
    await leaving.get(id);
    return keep(id, open.get(id) ?? openSeated(parts, {}, { type: "resumed", stored }));
  }

  async function seat(asked: AgentCall): Promise<SeatedThread> {
    if (asked.type === "reply") return find(asked.threadId);
    const seated = await openSeated(parts, asked.asked, { type: "new", isEphemeral: asked.isEphemeral });
    return keep(seated.thread.id, Promise.resolve(seated));
  }

  return {
    async run(asked, call) {
      const { thread, follower } = await seat(asked);
      if (thread.isRunning)
        throw new ArgumentFault(`A turn runs in the thread ${thread.id}: wait for its end, or cancel that call.`);
      const turn = runTurn({ thread, follower }, asked, call);
      const onAbort = (): void => void leave(thread.id, turn);
      call.signal.addEventListener("abort", onAbort, { once: true });
      if (call.signal.aborted) onAbort();
      try {
        return { threadId: thread.id, outcome: await turn };
      } finally {
        await leaving.get(thread.id);
        await closeIdle();
      }
    },
  };
}

async function openSeated(
  { threadHost, hasPerson, notice }: AgentThreadsParts,
  asked: Extract<AgentCall, { readonly type: "start" }>["asked"],
  origin: ServedOrigin,
): Promise<SeatedThread> {
  const follower = createFollower(hasPerson());
  const { thread, notices, release } = await threadHost.open({ origin, asked, follower });
  for (const each of notices) notice(each);
  release();
  return { thread, follower };
}

async function runTurn(
  { thread, follower }: SeatedThread,
  { prompt, outputSchema }: AgentCall,
  call: ToolCall,
): Promise<TurnOutcome> {
  using _seat = follower.seat(call, () => thread.cancel());
  call.signal.throwIfAborted();
  const cancel = (): void => thread.cancel();
  call.signal.addEventListener("abort", cancel, { once: true });
  try {
    await call.tell(`thread ${thread.id}`);
    const { release, ended } = await thread.startTurn(prompt, { outputSchema });
    if (call.signal.aborted) cancel();
    release();
    return await ended;
  } finally {
    call.signal.removeEventListener("abort", cancel);
  }
}
