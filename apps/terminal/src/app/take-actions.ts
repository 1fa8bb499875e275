import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { toProgramFailure, toProgramPlaces } from "@unroll/program";
import { readText } from "../command/read-command.ts";
import type { CommandContext } from "../command/terminal-command.ts";
import { readClipboardImage } from "../device/read-clipboard-image.ts";
import type { LiveRegion, PersonAction, PersonInput } from "../driver.ts";
import { type App, tell } from "./app.ts";
import { createCommandContext, edit } from "./command-context.ts";
import { refreshCommands } from "./read-prompt-commands.ts";
import { runScript } from "./run-shell-command.ts";
import { askAgain, sendMessage, steer, stopWork } from "./send-message.ts";

/** Runs your input until you leave, one after the other, except for what may run beside a turn. Throws unexpected errors. */
export async function converse(app: App, first: PersonInput | null): Promise<void> {
  const { driver, clock, signal } = app;
  const context = createCommandContext(app);
  const failed = Promise.withResolvers<never>();
  driver.onAction((action) => void takeAction(app, context, action).catch(failed.reject));

  async function runAll(): Promise<void> {
    if (first === null) await askAgain(app);
    for (let input = first ?? (await driver.next(signal)); input !== null; input = await driver.next(signal))
      await runInput(app, context, input);
  }
  const running = runAll();
  await Promise.race([running, failed.promise, whenAborted(signal)]);
  const patience = new AbortController();
  await Promise.race([running, failed.promise, clock.sleep(leaveMs, patience.signal)]);
  patience.abort();
}

/** How long running work may take to end when you leave, in ms. */
const leaveMs = 1000;

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}

async function takeAction(app: App, context: CommandContext, action: PersonAction): Promise<void> {
  const { live } = app.driver;
  switch (action.type) {
    case "typed":
      return app.history.add(action.draft);
    case "beside":
      return runInput(app, context, action);
    case "steered":
      return steer(app, action.submission);
    case "interrupted":
      return stopWork(app);
    case "edited":
      return live === null ? undefined : editDraft(app, live);
    case "image_pasted":
      return live === null ? undefined : pasteImage(app, live);
  }
}

async function runInput(app: App, context: CommandContext, { submission, by }: PersonInput): Promise<void> {
  if (submission.isShell) return runScript(app, submission.text);
  if (submission.text.startsWith("/")) await refreshCommands(app);
  const read = readText(submission.text, app.commands);
  switch (read.type) {
    case "message":
      return sendMessage(app, submission);
    case "unknown": {
      const hint = read.nearest === null ? "/help lists all commands." : `Did you mean ${read.nearest}?`;
      return tell(
        app,
        `Unknown command ${read.name}. ${hint} To send it as a message, put a space in front.`,
        "warning",
      );
    }
    case "command":
      if (by === "line") app.driver.echo(submission.text);
      if (read.command.argument === null && read.argument !== "")
        return tell(app, `Not run: /${read.command.name} takes no argument.`, "warning");
      try {
        const { current } = app.threads;
        await read.command.run(context, read.argument);
        return app.threads.current === current ? undefined : await askAgain(app);
      } catch (error) {
        const { error: failure, stack } = toProgramFailure(error);
        if (stack !== null) throw error;
        if (!app.signal.aborted) tell(app, failure.message, "error");
      }
  }
}

async function editDraft(app: App, live: LiveRegion): Promise<void> {
  const { text, images } = live.draft;
  const edited = await edit(app, text);
  if (edited !== null) live.draft = { text: edited, images };
}

async function pasteImage({ threads, driver, host, leftovers }: App, live: LiveRegion): Promise<void> {
  const places = toProgramPlaces(threads.current.config, host);
  const source = await readClipboardImage({ ...places, platform: host.platform });
  if (source === null) return live.hint("The clipboard has no picture, or there is no tool to read it.");
  leftovers.defer(async () => rm(dirname(source), { recursive: true, force: true }));
  driver.attachImage(source);
}
