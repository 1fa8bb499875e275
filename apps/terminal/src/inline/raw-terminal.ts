import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import { askTerminal, createKeyParser, enterModes, type InputEvent, restoreModes } from "@unroll/screen";
import type { TerminalScreen } from "./terminal-screen.ts";

/** The terminal, ours or not: taken over at first, and given back whatever happens. */
export interface RawTerminal extends Disposable {
  enter(): void;
  leave(): void;
}

export interface RawTerminalOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Pick<Clock, "setTimer">;
}

/** `isBurst`: they are, or follow, several keys that came at once. */
type TakeEvents = (events: readonly InputEvent[], isBurst: boolean) => void;

export function openRawTerminal(
  { terminal, clock }: RawTerminalOptions,
  screen: TerminalScreen,
  take: TakeEvents,
): RawTerminal {
  let input: Disposable | null = null;

  function enter(): void {
    if (input !== null) return;
    terminal.setRaw(true);
    screen.send(enterModes);
    input = readInput({ terminal, clock }, take);
    screen.loop.resume();
    screen.loop.request();
  }

  function leave(): void {
    if (input === null) return;
    input[Symbol.dispose]();
    input = null;
    screen.leave();
    terminal.setRaw(false);
  }

  const unwatch = [
    terminal.onContinue(enter),
    terminal.onExit(() => {
      if (input === null) return;
      terminal.writeNow(screen.title.restore() + restoreModes);
      terminal.whenKilled("");
    }),
  ];
  screen.loop.pause();
  enter();
  screen.send(askTerminal);
  return {
    enter,
    leave,
    [Symbol.dispose]() {
      leave();
      for (const stop of unwatch) stop();
    },
  };
}

/** Reads the terminal's bytes as keys, pastes and answers, until it is disposed. */
function readInput({ terminal, clock }: RawTerminalOptions, take: TakeEvents): Disposable {
  const parser = createKeyParser();
  let cancel = (): void => {};

  function read(bytes: Uint8Array): void {
    cancel();
    take(parser.feed(bytes), parser.isBurst());
    const waitMs = parser.waitMs();
    if (waitMs !== null) cancel = clock.setTimer(waitMs, () => take(parser.flush(), parser.isBurst()));
  }

  terminal.input.on("data", read);
  terminal.input.resume();
  return {
    [Symbol.dispose]() {
      cancel();
      terminal.input.off("data", read);
      terminal.input.pause();
    },
  };
}
