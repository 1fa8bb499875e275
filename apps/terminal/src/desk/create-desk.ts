import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import { believeReflow, type InputEvent, openPager, type PagerSource } from "@unroll/screen";
import type { DialogFlow } from "../dialog/dialog-flow.ts";
import { createSurface, type Surface } from "../surface/open-surface.ts";
import { takeInput } from "../ui/take-input.ts";
import { initialUi, type UiEffect, type UiState } from "../ui/ui-state.ts";
import { createPictureSearch } from "./find-pictures.ts";
import { createLook, type Look } from "./look.ts";
import { createSeat } from "./create-seat.ts";
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
  page(title: string, source: PagerSource): void;
  /** Hands the terminal over while `run` does. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Hands it back to whoever started the program, until that lets it go on. */
  suspend(): void;
}

export function createDesk(options: DeskOptions): Desk {
  const { terminal, clock, env, isAnimated } = options;
  const look = createLook(env);
  const surface = createSurface(
    { terminal, clock, painter: look.painter, isAnimated, reflows: believeReflow(env, null) },
    initialUi,
  );
  const untaken: UiEffect[] = [];
  const hearing: Hearing = { effect: (effect) => void untaken.push(effect), input: () => {} };
  const change = (changed: (ui: UiState) => UiState): void => {
    surface.ui = changed(surface.ui);
    surface.loop.request();
  };
  const dialogs = createDialogs(change);
  const findPictures = createPictureSearch({
    env,
    send: (question) => surface.send(question),
    choose(protocol) {
      look.choosePictures(protocol);
      surface.setPainter(look.painter);
    },
  });
  const seat = createSeat(options, surface, (events) => {
    for (const event of events) {
      findPictures(event);
      takeEvent({ env, surface, look, dialogs, hearing }, event, clock.elapsed());
    }
    hearing.input();
    surface.loop.requestNow();
  });
  const stopResize = terminal.onResize(() => surface.resize());

  return {
    surface,
    look,
    change,
    onEffect(handler) {
      hearing.effect = handler;
      for (const effect of untaken.splice(0)) handler(effect);
    },
    onInput: (listener) => void (hearing.input = listener),
    ask: (flow, signal) => dialogs.ask(flow, signal),
    page: (title, source) => change((ui) => ({ ...ui, pager: openPager(title, source) })),
    async lend(run) {
      seat.leave();
      try {
        return await run();
      } finally {
        seat.enter();
      }
    },
    suspend() {
      seat.leave();
      terminal.suspend();
    },
    [Symbol.dispose]() {
      stopResize();
      seat[Symbol.dispose]();
    },
  };
}

/** Who hears of what the person does. */
interface Hearing {
  effect: (effect: UiEffect) => void;
  input: () => void;
}

interface DeskParts {
  readonly env: DeskOptions["env"];
  readonly surface: Surface;
  readonly look: Look;
  readonly dialogs: Dialogs;
  readonly hearing: Hearing;
}

function takeEvent({ env, surface, look, dialogs, hearing }: DeskParts, event: InputEvent, at: number): void {
  if (event.type === "reply.position") surface.positions.answer(event);
  if (event.type === "reply.version") surface.screen.setReflows(believeReflow(env, event.version));
  if (event.type === "reply.background" && look.chooseByBackground(event)) surface.setPainter(look.painter);
  const { state, effects } = takeInput(surface.ui, event, { size: surface.screen.size(), at });
  surface.ui = state;
  for (const effect of effects) if (!dialogs.take(effect)) hearing.effect(effect);
}
