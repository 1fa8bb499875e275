import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import { askTerminal, enterModes, type InputEvent, restoreModes } from "@unroll/screen";
import { openInput } from "../surface/open-input.ts";
import type { Surface } from "../surface/open-surface.ts";

/** The terminal, ours or not: taken over at first, and given back whatever happens. */
export interface Seat extends Disposable {
  enter(): void;
  leave(): void;
}

export interface SeatOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Pick<Clock, "setTimer">;
}

export function createSeat(
  { terminal, clock }: SeatOptions,
  surface: Surface,
  take: (events: readonly InputEvent[]) => void,
): Seat {
  let input: Disposable | null = null;

  function enter(): void {
    if (input !== null) return;
    terminal.setRaw(true);
    surface.send(enterModes);
    input = openInput(terminal, clock, take);
    surface.loop.resume();
    surface.loop.request();
  }

  function leave(): void {
    if (input === null) return;
    input[Symbol.dispose]();
    input = null;
    surface.leave();
    terminal.setRaw(false);
  }

  const unwatch = [
    terminal.onContinue(enter),
    terminal.onExit(() => (input === null ? undefined : terminal.writeNow(restoreModes))),
  ];
  surface.loop.pause();
  enter();
  surface.send(askTerminal);
  return {
    enter,
    leave,
    [Symbol.dispose]() {
      leave();
      for (const stop of unwatch) stop();
    },
  };
}
