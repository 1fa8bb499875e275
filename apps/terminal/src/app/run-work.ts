import { forEach } from "@unroll/flow";
import { toProgramFailure } from "@unroll/program";
import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import type { HostedThread, StartedTurn } from "@unroll/thread-host";
import { type App, tell, type Work } from "./app.ts";
import { showEvent } from "./show-event.ts";

/** Runs a turn, or work like one, also beside other work. You may stop it. A failure to start is shown. */
async function runWork(app: App, work: (signal: AbortSignal) => Promise<TurnOutcome>): Promise<TurnOutcome> {
  try {
    return await runStoppable(app, work);
  } catch (error) {
    const { error: failure, stack } = toProgramFailure(error);
    if (stack !== null) throw error;
    tell(app, `Not sent: ${failure.message}`, "error");
    return { type: "failed", error: failure, usage: noTokenUsage };
  }
}

/** Waits for something that you may stop; null: you stopped it. Without a screen, `what` says that it runs. */
export async function runAwaited<Result>(
  app: App,
  what: string,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  if (app.driver.live === null) tell(app, what);
  return runStoppable(app, async (signal) => {
    try {
      const result = await run(signal);
      return signal.aborted ? null : result;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  });
}

async function runStoppable<Result>(app: App, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const { clock, signal } = app;
  const stop = new AbortController();
  const running: Work = {
    signal: stop.signal,
    since: clock.elapsed(),
    stop: () => stop.abort(),
    returned: null,
    sending: [],
  };
  stop.signal.addEventListener("abort", () => showWork(app));
  app.works = [...app.works, running];
  showWork(app);
  try {
    return await work(AbortSignal.any([stop.signal, signal]));
  } finally {
    await running.returned?.catch(() => {}); // who stopped it reports it
    app.works = app.works.filter((each) => each !== running);
    showWork(app);
  }
}

/** Shows that something runs: as stopping, if you stopped the latest. */
function showWork({ driver, works }: App): void {
  const latest = works.at(-1);
  driver.setWork(latest === undefined ? "idle" : latest.signal.aborted ? "stopping" : "running");
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
