import { forEach } from "@unroll/flow";
import { type ThreadEvent, noTokenUsage, type TurnOutcome } from "@unroll/protocol";
import { toProgramFailure } from "@unroll/program";
import { type App, tell } from "./app.ts";
import { showEvent } from "./follow-threads.ts";
import { showPictures } from "./show-pictures.ts";

export type StartWork = (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>;

/**
 * Runs a turn, or what is like one, and shows what it tells; the person may stop it. What cannot begin, as its input cannot be
 * read, is told. `show`: null for an event that is not shown.
 */
export async function runWork(
  app: App,
  start: StartWork,
  show: (event: ThreadEvent) => ThreadEvent | null = showTurn(),
): Promise<TurnOutcome> {
  const { driver, clock, signal } = app;
  const stop = new AbortController();
  app.stopWork = () => {
    stop.abort();
    driver.setWork("stopping");
  };
  app.workingSince = clock.elapsed();
  driver.setWork("running");
  try {
    return await forEach(start(AbortSignal.any([stop.signal, signal])), (event) => {
      const shown = show(event);
      if (shown === null) return;
      const room = showEvent(app, shown);
      return showPictures(driver, shown) ?? room;
    });
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

/** What came before a turn began is shown already, by who reads between the turns. */
function showTurn(): (event: ThreadEvent) => ThreadEvent | null {
  let hasBegun = false;
  return (event) => {
    hasBegun ||= event.type === "turn.started";
    return hasBegun ? event : null;
  };
}
