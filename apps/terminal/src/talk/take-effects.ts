import { attachPiece, replaceText, type Submission, toSubmission } from "@unroll/screen";
import { toProgramFailure } from "@unroll/program";
import { readText } from "../command/read-command.ts";
import type { CommandContext } from "../command/terminal-command.ts";
import { readClipboardImage } from "../device/read-clipboard-image.ts";
import type { UiEffect } from "../ui/ui-state.ts";
import { createCommandContext, edit } from "./command-context.ts";
import { runScript } from "./run-script.ts";
import { sendMessage, steer } from "./send-message.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";

/** What the person does, carried out: one thing after the other, but for what may be done beside a turn. */
export interface Doings {
  take(effect: UiEffect): void;
  /** Says something as if the person had typed it. */
  say(submission: Submission): void;
  /** Rejects with what nobody foresaw. */
  readonly failed: Promise<never>;
}

export function createDoings(talk: Talk): Doings {
  const failed = Promise.withResolvers<never>();
  const context = createCommandContext(talk, (text) => say({ text, images: [], isShell: false }));
  const parts = { talk, context };
  let isBusy = false;

  function start(run: () => Promise<void>): void {
    run().catch(failed.reject);
  }

  /** What comes meanwhile waits with what the person sent while a turn ran. */
  function say(submission: Submission, by: SaidBy = "line"): void {
    if (isBusy && !mayRunBeside(talk, submission))
      return talk.desk.change((ui) => ({ ...ui, waiting: [...ui.waiting, submission] }));
    start(() => (isBusy ? carryOut(parts, submission, by) : carryOutAll(submission, by)));
  }

  async function carryOutAll(first: Submission, by: SaidBy): Promise<void> {
    isBusy = true;
    try {
      await carryOut(parts, first, by);
      for (let next = takeWaiting(talk); next !== null && !talk.ending.signal.aborted; next = takeWaiting(talk))
        await carryOut(parts, next, "line");
    } finally {
      isBusy = false;
    }
  }

  return {
    failed: failed.promise,
    say,
    take(effect) {
      switch (effect.type) {
        case "submitted":
          void talk.history.add(effect.submission.isShell ? `!${effect.submission.text}` : effect.submission.text);
          return say(effect.submission);
        case "steered":
          void talk.history.add(effect.submission.text);
          return start(() => steer(talk, effect.submission));
        case "command":
          return say({ text: `/${effect.name}`, images: [], isShell: false }, "key");
        case "interrupted":
          return interrupt(talk);
        case "left":
          return talk.ending.abort();
        case "suspended":
          return talk.desk.suspend();
        case "repainted":
          return repaint(talk);
        case "edited":
          return start(() => editMessage(talk));
        case "image_pasted":
          return start(() => pasteImage(talk));
        case "pager_closed":
        case "answered":
          return;
      }
    },
  };
}

function mayRunBeside({ desk }: Talk, { text, isShell }: Submission): boolean {
  const read = readText(text, desk.surface.ui.commands);
  return !isShell && (read.type === "unknown" || (read.type === "command" && read.command.timing === "always"));
}

function takeWaiting({ desk }: Talk): Submission | null {
  const [first, ...rest] = desk.surface.ui.waiting;
  if (first === undefined) return null;
  desk.change((ui) => ({ ...ui, waiting: rest }));
  return first;
}

/** A line is shown above what it leads to; a key was not written. */
type SaidBy = "line" | "key";

interface DoingParts {
  readonly talk: Talk;
  readonly context: CommandContext;
}

async function carryOut({ talk, context }: DoingParts, submission: Submission, by: SaidBy): Promise<void> {
  if (submission.isShell) return runScript(talk, submission.text);
  const read = readText(submission.text, talk.desk.surface.ui.commands);
  switch (read.type) {
    case "message":
      return sendMessage(talk, { text: submission.text, images: submission.images });
    case "unknown": {
      const hint = read.nearest === null ? "/help lists them." : `did you mean ${read.nearest}?`;
      return tell(talk, `There is no command ${read.name}: ${hint} A blank in front sends it to the model.`, "warning");
    }
    case "command":
      if (by === "line") tell(talk, `› ${submission.text}`, "muted");
      if (read.command.argument === null && read.argument !== "")
        return tell(talk, `/${read.command.name} takes nothing behind it, and was not carried out.`, "warning");
      try {
        return await read.command.run(context, read.argument);
      } catch (error) {
        const { error: failure, stack } = toProgramFailure(error);
        if (stack !== null) throw error;
        if (!talk.ending.signal.aborted) tell(talk, failure.message, "error");
      }
  }
}

function repaint({ desk: { surface } }: Talk): void {
  surface.screen.repaint();
  surface.loop.requestNow();
}

/** What waited for the turn goes back into the line: its reason may be gone. */
function interrupt(talk: Talk): void {
  talk.stopWork?.();
  talk.desk.change((ui) => {
    if (ui.waiting.length === 0) return ui;
    const texts = ui.waiting.map(({ text, isShell }) => (isShell ? `!${text}` : text));
    const written = toSubmission(ui.composer).text;
    const all = [...texts, ...(written === "" ? [] : [written])].join("\n\n");
    return { ...ui, waiting: [], composer: replaceText(ui.composer, all) };
  });
}

async function editMessage(talk: Talk): Promise<void> {
  const text = await edit(talk, toSubmission(talk.desk.surface.ui.composer).text);
  if (text !== null) talk.desk.change((ui) => ({ ...ui, composer: replaceText(ui.composer, text) }));
}

async function pasteImage(talk: Talk): Promise<void> {
  const { env, platform } = talk.host;
  const source = await readClipboardImage({ env, platform });
  if (source === null)
    return talk.desk.change((ui) => ({ ...ui, hint: "There is no picture in the clipboard, or no tool to read it." }));
  talk.desk.change((ui) => ({ ...ui, composer: attachPiece(ui.composer, { type: "image", source }) }));
}
