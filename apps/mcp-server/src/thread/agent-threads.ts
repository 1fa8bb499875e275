import type { HostedThread, ThreadHost, ThreadRequest } from "@unroll/thread-host";
import type { TurnOutcome } from "@unroll/protocol";
import type { ToolCall } from "../call/tool-call.ts";
import type { AgentCall, AgentTurn } from "../tool/agent-call.ts";
import { ArgumentFault } from "../tool/argument-fault.ts";
import { createCallClient, type CallClient } from "./call-client.ts";

/** The threads that calls work in. */
export interface AgentThreads {
  /** Runs the turn that is asked for, to its end. Throws `ArgumentFault` for a thread in which one runs already. */
  run(asked: AgentCall, call: ToolCall): Promise<AgentTurn>;
}

export interface AgentThreadsParts {
  readonly threadHost: ThreadHost<CallClient>;
  /** Whether the person at the client can be asked. */
  readonly hasPerson: () => boolean;
  /** For stderr. */
  readonly notice: (text: string) => void;
}

type AgentThread = HostedThread<CallClient>;

export function createAgentThreads({ threadHost, hasPerson, notice }: AgentThreadsParts): AgentThreads {
  /** Those whose call was cancelled, until they are closed. */
  const leaving = new Map<string, Promise<void>>();

  /** Its call was cancelled: what the turn started and left running ends with it. */
  async function leave(id: string, turn: Promise<unknown>): Promise<void> {
    const left = turn.catch(() => {}).then(() => threadHost.close(id));
    leaving.set(id, left);
    await left.catch(() => {}); // told by whoever waits for it
    leaving.delete(id);
  }

  async function open(request: Pick<ThreadRequest, "asked" | "origin">): Promise<AgentThread> {
    const client = createCallClient(hasPerson());
    const { thread, notices, release } = await threadHost.open({ ...request, client });
    for (const each of notices) notice(each);
    release();
    return thread;
  }

  async function find(threadId: string): Promise<AgentThread> {
    await leaving.get(threadId);
    const found = threadHost.threads.get(threadId);
    if (found !== undefined) return found;
    const stored = await threadHost.load(threadId);
    await leaving.get(stored.threadId);
    return open({ asked: {}, origin: { type: "resumed", stored } });
  }

  function seat(asked: AgentCall): Promise<AgentThread> {
    if (asked.type === "reply") return find(asked.threadId);
    return open({ asked: asked.asked, origin: { type: "new", isEphemeral: asked.isEphemeral } });
  }

  return {
    async run(asked, call) {
      const thread = await seat(asked);
      if (thread.isRunning)
        throw new ArgumentFault(`A turn runs in the thread ${thread.id}: wait for its end, or cancel that call.`);
      const turn = runTurn(thread, asked, call);
      const onAbort = (): void => void leave(thread.id, turn);
      call.signal.addEventListener("abort", onAbort, { once: true });
      if (call.signal.aborted) onAbort();
      try {
        return { threadId: thread.id, outcome: await turn };
      } finally {
        await leaving.get(thread.id);
      }
    },
  };
}

async function runTurn(thread: AgentThread, { prompt, outputSchema }: AgentCall, call: ToolCall): Promise<TurnOutcome> {
  using _seat = thread.client.seat(call, () => thread.cancel());
  call.signal.throwIfAborted();
  const cancel = (): void => thread.cancel();
  call.signal.addEventListener("abort", cancel, { once: true });
  try {
    await call.tell(`thread ${thread.id}`);
    const { release, ended } = await thread.run(prompt, { outputSchema });
    if (call.signal.aborted) cancel();
    release();
    return await ended;
  } finally {
    call.signal.removeEventListener("abort", cancel);
  }
}
