import { forEach } from "@unroll/flow";
import { toProgramFailure } from "@unroll/program";
import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import type { HostedThread, StartedTurn } from "@unroll/thread-host";
import { type App, tell } from "./app.ts";
import { showEvent } from "./show-event.ts";

/** Runs a turn, or work like one. You may stop it. A failure to start is shown. */
async function runWork(app: App, work: (signal: AbortSignal) => Promise<TurnOutcome>): Promise<TurnOutcome> {
  const { driver, clock, signal } = app;
  const stop = new AbortController();
  app.stopWork = () => {
    stop.abort();
    driver.setWork("stopping");
  };
  app.workingSince = clock.elapsed();
  driver.setWork("running");
  try {
    return await work(AbortSignal.any([stop.signal, signal]));
  } catch (error) {
    const { error: failure, stack } = toProgramFailure(error);
    if (stack !== null) throw error;
    tell(app, `Not sent: ${failure.message}`, "error");
    return { type: "failed", error: failure, usage: noTokenUsage };
  } finally {
    app.stopWork = null;
    app.workingSince = null;
    driver.setWork("idle");
  }
}

/** Runs a turn of the current thread, whose events its host sends us. */
export function runTurn(
  app: App,
  start: (thread: HostedThread<unknown>) => Promise<StartedTurn>,
): Promise<TurnOutcome> {
  const { current } = app.threads;
  return runWork(app, async (signal) => {
    const cancel = (): void => current.cancel();
    signal.addEventListener("abort", cancel);
    try {
      const turn = await start(current);
      if (signal.aborted) cancel();
      turn.release();
      return await turn.ended;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  });
}

/** Runs work that is not a turn of the current thread, and shows its events. */
export function runBeside(
  app: App,
  start: (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>,
): Promise<TurnOutcome> {
  return runWork(app, (signal) => forEach(start(signal), (event) => showEvent(app, event)));
}
