import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import { createKeyParser, type InputEvent } from "@unroll/screen";

/** Reads the terminal's bytes as keys, pastes and answers, until it is disposed. */
export function openInput(
  terminal: ProcessTerminal,
  clock: Pick<Clock, "setTimer">,
  take: (events: readonly InputEvent[]) => void,
): Disposable {
  const parser = createKeyParser();
  let cancel = (): void => {};

  function read(bytes: Uint8Array): void {
    cancel();
    take(parser.feed(bytes));
    const waitMs = parser.waitMs();
    if (waitMs !== null) cancel = clock.setTimer(waitMs, () => take(parser.flush()));
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
