import { renderMarkdown, renderPatchDiff } from "@unroll/cells";
import type { StyledLine } from "@unroll/screen";
import type { CommandContext, CommandPage } from "../command/terminal-command.ts";
import { copyText } from "../device/clipboard.ts";
import { editExternally } from "../device/edit-externally.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { toLines } from "../text/to-lines.ts";
import { type App, tell } from "./app.ts";
import { logInHere } from "./log-in-here.ts";
import { runWork } from "./run-work.ts";
import { replay, showPast } from "./show-past.ts";

/** What commands get of the running program. */
export function createCommandContext(app: App): CommandContext {
  const { conversation, flags, host, driver, plan, signal } = app;
  return {
    conversation,
    host,
    flags,
    plan,
    signal,
    keys: driver.keys,
    get view() {
      return driver.view;
    },
    get commands() {
      return app.commands;
    },
    tell: (text) => tell(app, text),
    show: (markdown) =>
      driver.add({
        type: "lines",
        lines: renderMarkdown(markdown, { ...app.libraries, columns: driver.columns() }),
      }),
    lines: (render) => driver.add({ type: "lines", lines: render(driver.columns()) }),
    page: (page) => driver.page(page.title, renderPage(app, page)),
    follow: (text) => driver.follow(text),
    pageThread: () => pageThread(app),
    choose: (choice) => driver.ask(createChooseFlow(choice), signal),
    send: (text) => driver.enqueue({ text, images: [], isShell: false }),
    prefill: (text) => driver.prefill(text),
    runWork: (start) => runWork(app, start, showBeside(app.shownItems++)),
    showPast: () => showPast(app),
    edit: (text) => edit(app, text),
    copy: (text) => copyText(text, { env: host.env, platform: host.platform, send: driver.live?.send ?? null }),
    chooseTheme: (theme) => driver.chooseTheme(theme),
    showReasoning: (view) => driver.showReasoning(view),
    logIn: (way) => logInHere(app, conversation.config, way),
    leave: () => app.ending.abort(),
  };
}

/** What a driver keeps nothing of is read from the journal. */
async function pageThread(app: App): Promise<void> {
  if (!app.driver.pageThread() && !(await replay(app, Infinity))) tell(app, "Nothing was said yet.");
}

/** For what is read on a page of its own: nothing is left out. */
function renderPage({ driver, libraries, conversation }: App, { text, kind }: CommandPage): readonly StyledLine[] {
  const columns = driver.columns();
  switch (kind) {
    case "markdown":
      return renderMarkdown(text, { ...libraries, columns });
    case "diff": {
      const { cwd } = conversation.config;
      return renderPatchDiff(text, { libraries, columns, cwd, reasoning: "shown", detail: "whole", more: "" });
    }
    case "text":
      return toLines(text);
  }
}

/** The items of another thread have ids that this one has, too; its answer is shown by the command, and its end is not this one's. */
function showBeside(number: number): Parameters<typeof runWork>[2] {
  return (event) => {
    switch (event.type) {
      case "item.started":
      case "item.updated":
      case "item.completed": {
        if (event.item.type === "agent_message") return null;
        return { ...event, item: { ...event.item, id: `beside_${number}_${event.item.id}` } };
      }
      case "item.delta":
        return event.kind === "agent_message" ? null : { ...event, item_id: `beside_${number}_${event.item_id}` };
      case "turn.failed":
        return {
          type: "item.completed",
          item: { id: `beside_${number}_end`, type: "error", message: event.error.message },
        };
      case "stream.retrying":
      case "warning":
      case "compaction.started":
      case "compaction.completed":
      case "epoch.opened":
      case "context_window.updated":
        return event;
      case "thread.started":
      case "turn.started":
      case "turn.completed":
      case "input.received":
      case "request.started":
      case "request.completed":
      case "budget.updated":
      case "question.asked":
      case "question.answered":
      case "mcp.server_updated":
      case "mcp.tool_adapted":
      case "events.skipped":
        return null;
    }
  };
}

/** Null: it failed, which was told. */
export async function edit(app: App, text: string): Promise<string | null> {
  const edited = await app.driver.lend(() => editExternally(text, app.io));
  if (edited.type === "edited") return edited.text;
  tell(app, edited.message, "error");
  return null;
}
