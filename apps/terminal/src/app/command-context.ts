import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderMarkdown, renderPatchDiff } from "@unroll/cells";
import { flatMap } from "@unroll/flow";
import { runEditor, toProgramPlaces } from "@unroll/program";
import type { ThreadEvent } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";
import type { CommandContext, CommandPage } from "../command/terminal-command.ts";
import { copyText } from "../device/clipboard.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { createConsentFlow } from "../dialog/consent-flow.ts";
import { toLines } from "../text/to-lines.ts";
import { type App, tell } from "./app.ts";
import { listCommands } from "./list-commands.ts";
import { logInHere } from "./log-in-here.ts";
import { runAwaited, runBeside, runTurn } from "./run-work.ts";
import { showPast } from "./show-past.ts";

/** Gives commands access to the running program. */
export function createCommandContext(app: App): CommandContext {
  const { threads, flags, host, driver, signal } = app;
  return {
    threads,
    get thread() {
      return threads.current;
    },
    host,
    flags,
    signal,
    get keys() {
      return driver.keys;
    },
    get view() {
      return driver.view;
    },
    get commands() {
      return listCommands(app);
    },
    tell: (text) => tell(app, text),
    note: (text) => (driver.live === null ? tell(app, text) : driver.live.hint(text)),
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
    wait: (what, run) => runAwaited(app, what, run),
    confirm: (consent) => driver.ask(createConsentFlow(consent), signal),
    send: (text) => driver.enqueue({ text, images: [], isShell: false }),
    prefill: (text) => driver.prefill(text),
    runTurn: (start) => runTurn(app, start),
    runBeside(start) {
      const number = app.shownItems++;
      return runBeside(app, (stop) => flatMap(start(stop), (event) => toEventsBeside(event, number)));
    },
    showPast: () => showPast(app),
    edit: (text) => edit(app, text),
    copy: (text) =>
      copyText(text, {
        ...toProgramPlaces(threads.current.config, host),
        platform: host.platform,
        send: driver.live?.send ?? null,
      }),
    get hasVim() {
      return driver.hasVim;
    },
    setVim: (isOn) => driver.setVim(isOn),
    chooseTheme: (theme) => driver.chooseTheme(theme),
    showReasoning: (view) => driver.showReasoning(view),
    logIn: (way) => logInHere(app, threads.current.config, way),
    leave: () => app.ending.abort(),
  };
}

/** A driver that keeps nothing gets the thread from its journal. */
async function pageThread(app: App): Promise<void> {
  if (!app.driver.pageThread() && !(await showPast(app, Infinity))) tell(app, "This thread has no messages yet.");
}

/** Renders a page in full. */
function renderPage({ driver, libraries, threads }: App, { text, kind }: CommandPage): readonly StyledLine[] {
  const columns = driver.columns();
  switch (kind) {
    case "markdown":
      return renderMarkdown(text, { ...libraries, columns });
    case "diff": {
      const { cwd } = threads.current.config;
      return renderPatchDiff(text, { libraries, columns, cwd, reasoning: "shown", detail: "whole", more: "" });
    }
    case "text":
      return toLines(text);
  }
}

/** Events of another thread as ours: with ids that no item here has, and without its answer, which the command shows, and its turns. */
function toEventsBeside(event: ThreadEvent, number: number): readonly ThreadEvent[] {
  const prefix = `beside_${number}_`;
  switch (event.type) {
    case "item.started":
    case "item.updated":
    case "item.completed":
      if (event.item.type === "agent_message") return [];
      return [{ ...event, item: { ...event.item, id: `${prefix}${event.item.id}` } }];
    case "item.delta":
      return event.kind === "agent_message" ? [] : [{ ...event, item_id: `${prefix}${event.item_id}` }];
    case "turn.failed":
      return [{ type: "item.completed", item: { id: `${prefix}end`, type: "error", message: event.error.message } }];
    case "stream.retrying":
    case "warning":
    case "compaction.started":
    case "compaction.completed":
    case "epoch.opened":
    case "context_window.updated":
    case "host.denied":
      return [event];
    case "thread.started":
    case "sandbox.updated":
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
    case "host.allowed":
    case "host.closed":
    case "events.skipped":
      return [];
  }
}

/** Opens your editor on a text, and waits for its end. Null: it failed; an error was shown. */
export async function edit(app: App, text: string): Promise<string | null> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-edit-"));
  const file = join(folder.path, "prompt.md");
  await writeFile(file, text, { mode: 0o600 });
  const places = { ...app.io, ...toProgramPlaces(app.threads.current.config, app.io) };
  const failure = await app.driver.lend(() => runEditor(file, places));
  if (failure === null) return (await readFile(file, "utf8")).replace(/\n$/, "");
  tell(app, failure, "error");
  return null;
}
