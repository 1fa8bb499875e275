import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import type { PersonAction, PersonInput } from "../driver.ts";
import type { Palette } from "./palette.ts";
import type { RawTerminal } from "./raw-terminal.ts";
import type { TerminalScreen } from "./terminal-screen.ts";
import type { UiState } from "./ui-state.ts";

export interface InlineOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isAnimated: boolean;
  /** You want to leave. */
  readonly leave: () => void;
}

/** The objects that the parts of the inline driver share. */
export interface InlineParts extends InlineOptions {
  readonly palette: Palette;
  readonly screen: TerminalScreen;
  raw: RawTerminal;
  act: (action: PersonAction) => void;
  /** Takes the next input; null: nothing waits for it. */
  reader: ((input: PersonInput | null) => void) | null;
  /** Called with each change of the line. */
  offer: () => void;
}

/** Changes what is seen. */
export function change({ screen }: Pick<InlineParts, "screen">, changed: (ui: UiState) => UiState): void {
  screen.ui = changed(screen.ui);
  screen.loop.request();
}
