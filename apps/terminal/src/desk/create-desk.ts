import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import {
  askTerminal,
  enterModes,
  type InputEvent,
  openPager,
  type PagerSource,
  restoreModes,
  type StyledLine,
} from "@unroll/screen";
import type { DialogFlow } from "../dialog/dialog-flow.ts";
import { openInput } from "../surface/open-input.ts";
import { createSurface, type Surface } from "../surface/open-surface.ts";
import { takeInput } from "../ui/take-input.ts";
import { initialUi, type UiEffect, type UiState } from "../ui/ui-state.ts";
import { createLook, type Look } from "./look.ts";
import { createDialogs, type Dialogs } from "./open-dialogs.ts";

export interface DeskOptions {
  readonly terminal: ProcessTerminal;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isAnimated: boolean;
}

/** The terminal with a person at it: what they type becomes effects, and what is told them is painted. */
export interface Desk extends Disposable {
  readonly surface: Surface;
  readonly look: Look;
  /** Changes what is seen. */
  change(change: (ui: UiState) => UiState): void;
  /** Takes the effects of keys from now on, and first those that nobody took. */
  onEffect(take: (effect: UiEffect) => void): void;
  /** Calls back with each piece of input, once it was taken. */
  onInput(listener: () => void): void;
  /** Asks, behind what is asked already. Rejects with the signal's reason where that aborts. */
  ask<Result>(flow: DialogFlow<Result>, signal: AbortSignal): Promise<Result>;
  /** Opens the pager. */
  page(title: string, lines: readonly StyledLine[]): void;
  /** Hands the terminal over while `run` does. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Hands it back to whoever started the program, until that lets it go on. */
  suspend(): void;
}

export function createDesk({ terminal, clock, env, isAnimated }: DeskOptions): Desk {
  const look = createLook(env);
  const surface = createSurface({ terminal, clock, painter: look.painter, isAnimated }, initialUi);
  const untaken: UiEffect[] = [];
  let takeEffect = (effect: UiEffect): void => void untaken.push(effect);
  let inputTaken = (): void => {};
  let input: Disposable | null = null;
  let isHere = false;

  const change = (changed: (ui: UiState) => UiState): void => {
    surface.ui = changed(surface.ui);
    surface.loop.request();
  };
  const dialogs: Dialogs = createDialogs(change);

  function take(events: readonly InputEvent[]): void {
    for (const event of events) {
      if (event.type === "reply.position") surface.screen.settle(event);
      if (event.type === "reply.background" && look.chooseByBackground(event)) surface.setPainter(look.painter);
      const { state, effects } = takeInput(surface.ui, event, { size: terminal.size(), at: clock.elapsed() });
      surface.ui = state;
      for (const effect of effects) if (!dialogs.take(effect)) takeEffect(effect);
    }
    inputTaken();
    surface.loop.requestNow();
  }

  function enter(): void {
    if (isHere) return;
    isHere = true;
    terminal.setRaw(true);
    surface.send(enterModes);
    input = openInput(terminal, clock, take);
    surface.loop.resume();
    surface.loop.requestNow();
  }

  function leave(): void {
    if (!isHere) return;
    isHere = false;
    surface.leave();
    input?.[Symbol.dispose]();
    terminal.setRaw(false);
  }

  const unwatch = [
    terminal.onResize(() => surface.resize()),
    terminal.onContinue(enter),
    // whatever happens, the terminal is as it was
    terminal.onExit(() => (isHere ? terminal.writeNow(restoreModes) : undefined)),
  ];
  surface.loop.pause();
  enter();
  surface.send(askTerminal);

  return {
    surface,
    look,
    change,
    onEffect(handler) {
      takeEffect = handler;
      for (const effect of untaken.splice(0)) handler(effect);
    },
    onInput: (listener) => void (inputTaken = listener),
    ask: dialogs.ask,
    page: (title, lines) => change((ui) => ({ ...ui, pager: openPager(title, toSource(lines)) })),
    async lend(run) {
      leave();
      try {
        return await run();
      } finally {
        enter();
      }
    },
    suspend() {
      leave();
      terminal.suspend();
    },
    [Symbol.dispose]() {
      leave();
      for (const stop of unwatch) stop();
    },
  };
}

const nothing: StyledLine = { spans: [], wrap: "words" };

function toSource(lines: readonly StyledLine[]): PagerSource {
  return { count: lines.length, at: (index) => lines[index] ?? nothing };
}
