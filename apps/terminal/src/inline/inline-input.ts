import {
  attachPiece,
  believeReflow,
  type Composer,
  type Draft,
  expandDraft,
  type InputEvent,
  replaceDraft,
  replaceText,
  switchVim,
} from "@unroll/screen";
import { runsBeside } from "../command/read-command.ts";
import type { Driver, PersonInput } from "../driver.ts";
import { createDialogs } from "./dialogs.ts";
import { change, type InlineParts } from "./inline-parts.ts";
import { toDraft } from "./press-composer.ts";
import { takeInput } from "./take-input.ts";
import type { UiEffect } from "./ui-state.ts";

type InlineInput = Pick<
  Driver,
  | "setKeymap"
  | "setVim"
  | "setCommands"
  | "setHistory"
  | "expectInput"
  | "takeBack"
  | "next"
  | "enqueue"
  | "prefill"
  | "attachImage"
  | "setWork"
  | "ask"
  | "lend"
> & {
  /** Takes what the terminal sent. `isBurst`: several keys came at once. */
  readonly take: (event: InputEvent, isBurst: boolean) => void;
};

/** The half of the inline driver that reads keys: into the line, the dialog that is open, or the pager. */
export function createInlineInput(parts: InlineParts): InlineInput {
  const { screen, env, palette, clock } = parts;
  const dialogs = createDialogs(parts);
  let cancelTick = (): void => {};

  function take(event: InputEvent, isBurst: boolean): void {
    if (event.type === "reply.position") screen.positions.answer(event);
    if (event.type === "reply.version") screen.screen.setReflows(believeReflow(env, event.version));
    if (event.type === "reply.background" && palette.chooseByBackground(event)) screen.setPainter(palette.painter);
    const { history } = screen.ui;
    const facts = { size: screen.screen.size(), at: clock.elapsed(), isBurst };
    const { state, effects } = takeInput(screen.ui, event, facts);
    screen.ui = state;
    const typed = state.history.at(-1);
    if (state.history !== history && typed !== undefined) parts.act({ type: "typed", draft: typed });
    for (const effect of effects) if (!dialogs.take(effect)) takeEffect(parts, effect);
  }

  /** Repaints while nothing else happens, as times are shown. */
  function tick(): void {
    cancelTick = clock.setTimer(tickMs, () => {
      screen.loop.request();
      tick();
    });
  }

  return {
    take,
    setKeymap: (keymap) => change(parts, (ui) => ({ ...ui, keymap })),
    setVim: (isOn) => change(parts, (ui) => ({ ...ui, composer: switchVim(ui.composer, isOn) })),
    setCommands: (commands) => change(parts, (ui) => ({ ...ui, commands })),
    setHistory: (drafts) => change(parts, (ui) => ({ ...ui, history: [...drafts, ...ui.history] })),
    expectInput: (message) => change(parts, (ui) => ({ ...ui, expected: [...ui.expected, message] })),
    takeBack(count) {
      if (count === 0) return;
      change(parts, (ui) => ({
        ...ui,
        expected: ui.expected.slice(0, -count),
        composer: writeAbove(ui.composer, ui.expected.slice(-count)),
      }));
    },
    async next(signal) {
      change(parts, (ui) => (ui.work.type === "opening" ? { ...ui, work: { type: "idle" } } : ui));
      const [first, ...waiting] = screen.ui.waiting;
      if (signal.aborted) return null;
      if (first !== undefined) {
        change(parts, (ui) => ({ ...ui, waiting }));
        return { submission: first, by: "line" };
      }
      return waitForInput(parts, signal);
    },
    enqueue: (submission) => give(parts, { submission, by: "line" }),
    prefill: (text) => change(parts, (ui) => ({ ...ui, composer: replaceText(ui.composer, text) })),
    attachImage: (source) =>
      change(parts, (ui) => ({ ...ui, composer: attachPiece(ui.composer, { type: "image", source }) })),
    setWork(work) {
      cancelTick();
      cancelTick = () => {};
      change(parts, (ui) => {
        if (work === "idle") return { ...ui, work: { type: "idle" } };
        const since = ui.work.type === "running" ? ui.work.since : clock.elapsed();
        return { ...ui, work: { type: "running", since, isStopping: work === "stopping" } };
      });
      if (work !== "idle" && screen.isAnimated) tick();
    },
    ask: (flow, signal) => dialogs.ask(flow, signal),
    async lend(run) {
      parts.raw.leave();
      try {
        return await run();
      } finally {
        parts.raw.enter();
      }
    },
  };
}

/** Between two repaints of the time, in ms. */
const tickMs = 250;

async function waitForInput(parts: InlineParts, signal: AbortSignal): Promise<PersonInput | null> {
  const input = Promise.withResolvers<PersonInput | null>();
  const leave = (): void => input.resolve(null);
  signal.addEventListener("abort", leave);
  parts.reader = input.resolve;
  try {
    return await input.promise;
  } finally {
    parts.reader = null;
    signal.removeEventListener("abort", leave);
  }
}

/** Gives input to the reader, runs it beside the turn if it may, or else queues it. */
function give(parts: InlineParts, input: PersonInput): void {
  const { reader } = parts;
  parts.reader = null;
  if (reader !== null) return reader(input);
  if (runsBeside(input.submission, parts.screen.ui.commands)) return parts.act({ type: "beside", ...input });
  change(parts, (ui) => ({ ...ui, waiting: [...ui.waiting, input.submission] }));
}

function takeEffect(parts: InlineParts, effect: UiEffect): void {
  const { screen, raw, terminal } = parts;
  switch (effect.type) {
    case "submitted":
      return give(parts, { submission: effect.submission, by: "line" });
    case "command":
      return give(parts, { submission: { text: `/${effect.name}`, images: [], isShell: false }, by: "key" });
    case "suspended":
      raw.leave();
      return terminal.suspend();
    case "repainted":
      screen.screen.repaint();
      return screen.loop.requestNow();
    case "interrupted":
      recall(parts);
      return parts.act({ type: "interrupted" });
    case "steered":
      return parts.act(effect);
    case "left":
      return parts.leave();
    case "edited":
    case "image_pasted":
      return parts.act({ type: effect.type });
    case "pager_closed":
    case "answered":
    case "acted":
      return;
  }
}

/** Puts queued messages back into the line: their reason may be gone. */
function recall(parts: InlineParts): void {
  change(parts, (ui) => {
    if (ui.waiting.length === 0) return ui;
    return { ...ui, waiting: [], composer: writeAbove(ui.composer, ui.waiting.map(toDraft)) };
  });
}

/** Writes drafts in front of the one in the line. */
function writeAbove(composer: Composer, drafts: readonly Draft[]): Composer {
  const written = expandDraft(composer);
  return replaceDraft(composer, written.text.trim() === "" ? drafts : [...drafts, written]);
}
