import type { HostedThread, ThreadHost, ThreadRequest } from "@unroll/thread-host";
import type { ToolCall } from "../call/tool-call.ts";
import type { AgentCall, AgentTurn } from "../tool/agent-call.ts";
import { ArgumentFault } from "../tool/argument-fault.ts";
import { type CallClient, createCallClient } from "./call-client.ts";

/** The threads that calls work in. */
export interface AgentThreads {
  /** Runs the requested turn to its end. Throws `ArgumentFault` if another call works in the thread. */
  run(asked: AgentCall, call: ToolCall): Promise<AgentTurn>;
}

export interface AgentThreadsParts {
  readonly threadHost: ThreadHost<CallClient>;
  /** Whether the user of the client can be asked. */
  readonly hasPerson: () => boolean;
  /** Writes to stderr. */
  readonly notice: (text: string) => void;
}

type AgentThread = HostedThread<CallClient>;

export function createAgentThreads({ threadHost, hasPerson, notice }: AgentThreadsParts): AgentThreads {
  async function open(request: Pick<ThreadRequest, "asked" | "origin">): Promise<AgentThread> {
    const { thread, notices, release } = await threadHost.open({ ...request, client: createCallClient(hasPerson()) });
    for (const each of notices) notice(each);
    release();
    return thread;
  }

  async function find(asked: AgentCall): Promise<AgentThread> {
    if (asked.type === "start")
      return open({ asked: asked.asked, origin: { type: "new", isEphemeral: asked.isEphemeral } });
    const found = threadHost.threads.get(asked.threadId);
    return found ?? open({ asked: {}, origin: { type: "resumed", stored: await threadHost.load(asked.threadId) } });
  }

  return {
    async run(asked, call) {
      const thread = await find(asked);
      const { id } = thread;
      using seat = thread.client.seat(call, () => thread.cancel());
      if (seat === null) throw new ArgumentFault(`A turn is running in thread ${id}: wait, or cancel that call.`);
      // what a cancelled call started and left running ends with it
      const close = (): void => void threadHost.close(id).catch((error: unknown) => notice(String(error)));
      call.signal.addEventListener("abort", close, { once: true });
      try {
        if (call.signal.aborted) close();
        await call.tell(`thread ${id}`);
        const { release, ended } = await thread.run(asked.prompt, { outputSchema: asked.outputSchema });
        release();
        return { threadId: id, outcome: await ended };
      } finally {
        call.signal.removeEventListener("abort", close);
      }
    },
  };
}
