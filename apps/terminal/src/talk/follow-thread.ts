import { createShownThread, type Libraries } from "@unroll/cells";
import type { Clock } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import type { Conversation } from "../conversation/conversation.ts";
import type { Desk } from "../desk/create-desk.ts";
import { showEvent } from "./show-event.ts";
import { toLines } from "./to-lines.ts";

export interface Followed {
  readonly conversation: Conversation;
  readonly desk: Desk;
  readonly libraries: Libraries;
  readonly clock: Pick<Clock, "elapsed">;
}

/** Shows the thread of the conversation, whichever it is, also between its turns. Ends when it is disposed. */
export function followThreads({ conversation, desk, libraries, clock }: Followed): Disposable {
  let reading = new AbortController();

  function begin(thread: Thread, how: "on" | "anew"): void {
    reading.abort();
    reading = new AbortController();
    const { surface } = desk;
    if (how === "anew" || surface.transcript === null) showAnew();
    void read(thread, reading.signal);
  }

  function showAnew(): void {
    const { surface } = desk;
    const before = surface.transcript?.takeRest(surface.screen.size().columns - 1) ?? [];
    if (surface.transcript !== null || surface.hasSaid) surface.say([...before, ...toLines("")]);
    surface.costUsd = 0;
    surface.transcript = createShownThread({
      libraries,
      cwd: conversation.config.cwd,
      reasoning: surface.transcript?.reasoning ?? (conversation.config.hideAgentReasoning ? "hidden" : "folded"),
      more: "^T shows all",
      clock,
    });
  }

  async function read(thread: Thread, signal: AbortSignal): Promise<void> {
    for await (const { event } of thread.events({ signal, ofTurns: false })) {
      showEvent({ conversation, desk }, event);
    }
  }

  conversation.onThread(begin);
  begin(conversation.thread, "anew");
  return { [Symbol.dispose]: () => reading.abort() };
}
