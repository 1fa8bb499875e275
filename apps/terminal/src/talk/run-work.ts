import { forEach } from "@unroll/flow";
import { type ThreadEvent, noTokenUsage, type TurnOutcome } from "@unroll/protocol";
import { toProgramFailure } from "@unroll/program";
import { showEvent } from "./show-event.ts";
import { showPictures } from "./show-pictures.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";

export type StartWork = (signal: AbortSignal) => AsyncGenerator<ThreadEvent, TurnOutcome>;

/**
 * Runs a turn, or what is like one, and shows what it tells; the person may stop it. What cannot begin, as its input cannot be
 * read, is told. `show`: null for an event that is not shown.
 */
export async function runWork(
  talk: Talk,
  start: StartWork,
  show: (event: ThreadEvent) => ThreadEvent | null = showTurn(),
): Promise<TurnOutcome> {
  const { desk, clock, ending } = talk;
  const stop = new AbortController();
  talk.stopWork = () => {
    stop.abort();
    desk.change((ui) => (ui.work.type === "running" ? { ...ui, work: { ...ui.work, isStopping: true } } : ui));
  };
  desk.change((ui) => ({ ...ui, work: { type: "running", since: clock.elapsed(), isStopping: false } }));
  using _ticking = tick(talk);
  try {
    return await forEach(start(AbortSignal.any([stop.signal, ending.signal])), (event) => {
      const shown = show(event);
      if (shown === null) return;
      showEvent(talk, shown);
      return showPictures(talk, shown);
    });
  } catch (error) {
    const { error: failure, stack } = toProgramFailure(error);
    if (stack !== null) throw error;
    tell(talk, `Not sent: ${failure.message}`, "error");
    return { type: "failed", error: failure, usage: noTokenUsage };
  } finally {
    talk.stopWork = null;
    desk.change((ui) => ({ ...ui, work: { type: "idle" } }));
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

/** Between two looks at the time that is shown, in ms. */
const tickMs = 250;

/** What is shown of time goes on while nothing happens. */
function tick({ desk, clock }: Talk): Disposable {
  let cancel = (): void => {};
  const next = (): void => {
    cancel = clock.setTimer(tickMs, () => {
      desk.surface.loop.request();
      next();
    });
  };
  if (desk.surface.isAnimated) next();
  return { [Symbol.dispose]: () => cancel() };
}
