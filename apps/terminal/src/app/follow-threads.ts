import { estimateRequestCost } from "@unroll/accounting";
import type { Thread } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import { toPriceOf } from "@unroll/use-cases/prices";
import type { App } from "./app.ts";

/** Shows the thread of the conversation, whichever it is, also between its turns. Ends when it is disposed. */
export function followThreads(app: App): Disposable {
  const { conversation, driver } = app;
  let reading = new AbortController();

  function begin(thread: Thread, how: "on" | "anew"): void {
    reading.abort();
    reading = new AbortController();
    if (how === "anew") {
      const { cwd, hideAgentReasoning } = conversation.config;
      driver.beginThread({ cwd, hidesReasoning: hideAgentReasoning });
      app.costUsd = 0;
    }
    void read(thread, reading.signal);
  }

  async function read(thread: Thread, signal: AbortSignal): Promise<void> {
    for await (const { event } of thread.events({ signal, ofTurns: false })) await showEvent(app, event);
  }

  conversation.onThread(begin);
  begin(conversation.thread, "anew");
  return { [Symbol.dispose]: () => reading.abort() };
}

/** Shows what happened in the thread, and counts what it cost. */
export function showEvent(app: App, event: ThreadEvent): Promise<void> | void {
  if (event.type === "request.completed") {
    const { config } = app.conversation;
    const { model, provider, serviceTier } = config;
    const cost = estimateRequestCost(event, toPriceOf(config)({ model, provider: provider.id, serviceTier }));
    app.costUsd = app.costUsd === null || cost === null ? null : app.costUsd + cost.withCache;
  }
  if (event.type === "input.received") return; // it was shown when you sent it
  return app.driver.apply(event);
}
