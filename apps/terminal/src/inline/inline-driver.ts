import { believeReflow, showFirstKey } from "@unroll/screen";
import type { Driver, LiveRegion, PersonAction } from "../driver.ts";
import { createInlineInput } from "./inline-input.ts";
import { listInlineKeys } from "./inline-keys.ts";
import type { InlineOptions, InlineParts } from "./inline-parts.ts";
import { createInlineText } from "./inline-text.ts";
import { createLiveRegion } from "./live-region.ts";
import { createPalette, createPictureSearch } from "./palette.ts";
import { openRawTerminal } from "./raw-terminal.ts";
import { createTerminalScreen } from "./terminal-screen.ts";
import { initialUi } from "./ui-state.ts";

/** Paints: finished text scrolls; below it the running work, your input line and the status line are repainted. */
export interface InlineDriver extends Driver {
  readonly live: LiveRegion;
  /** Whether you sent anything. */
  readonly hasSent: boolean;
}

/** Takes the terminal over until it is disposed. */
export function createInlineDriver(options: InlineOptions): InlineDriver {
  const { terminal, clock, env, isAnimated } = options;
  const palette = createPalette(env);
  const screen = createTerminalScreen(
    { terminal, clock, painter: palette.painter, isAnimated, reflows: believeReflow(env, null) },
    initialUi,
  );
  const findPictures = createPictureSearch({
    env,
    send: (question) => screen.send(question),
    choose(protocol) {
      palette.choosePictures(protocol);
      screen.setPainter(palette.painter);
    },
  });
  const raw = openRawTerminal(options, screen, (events, isBurst) => {
    for (const event of events) {
      findPictures(event);
      if (event.type === "key" && event.name === "enter") parts.offer(); // it takes what the keys before it found
      take(event, isBurst);
    }
    parts.offer();
    screen.loop.requestNow();
  });
  const untaken: PersonAction[] = [];
  const act = (action: PersonAction): void => void untaken.push(action);
  const parts: InlineParts = { ...options, palette, screen, raw, act, reader: null, offer: () => {} };
  const { take, ...input } = createInlineInput(parts);
  const stopResize = terminal.onResize(() => screen.resize());
  return {
    get keys() {
      return listInlineKeys(screen.ui);
    },
    isAttended: true,
    answeredBy: "keys",
    showKey: (action) => showFirstKey(screen.ui.keymap, action),
    live: createLiveRegion(parts),
    columns: () => screen.screen.size().columns - 1,
    ...createInlineText(parts),
    get view() {
      if (screen.transcript === null) throw new Error("No thread is shown yet.");
      return screen.transcript.view;
    },
    get hasSent() {
      return screen.transcript?.entries.some((entry) => entry.type === "cell" && entry.cell.type === "input") ?? false;
    },
    ...input,
    get hasVim() {
      return screen.ui.composer.vim !== null;
    },
    onAction(taker) {
      parts.act = taker;
      for (const action of untaken.splice(0)) taker(action);
    },
    [Symbol.dispose]() {
      input.setWork("idle");
      stopResize();
      raw[Symbol.dispose]();
    },
  };
}
