import { type CellOptions, renderMarkdown, renderPatchDiff } from "@unroll/cells";
import { endPager, replaceText } from "@unroll/screen";
import type { CommandContext, CommandPage } from "../command/terminal-command.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { copyText } from "../device/clipboard.ts";
import { editExternally } from "../input/edit-externally.ts";
import { toSource } from "../desk/to-source.ts";
import { logInHere } from "./log-in-here.ts";
import { followText } from "./follow-text.ts";
import { runWork } from "./run-work.ts";
import { showPast } from "./show-past.ts";
import type { Talk } from "./talk.ts";
import { tell, tellMarkdown } from "./tell.ts";
import { toLines } from "./to-lines.ts";

/** What commands get of a running program. `send`: as if the person had typed it, once nothing else runs. */
export function createCommandContext(talk: Talk, send: (text: string) => void): CommandContext {
  const { conversation, flags, host, io, desk, plan, ending } = talk;
  return {
    conversation,
    host,
    flags,
    plan,
    signal: ending.signal,
    get view() {
      return requireTranscript(talk).view;
    },
    get commands() {
      return desk.surface.ui.commands;
    },
    tell: (text) => tell(talk, text),
    show: (markdown) => tellMarkdown(talk, markdown),
    lines(render) {
      const lines = render(desk.surface.screen.size().columns - 1);
      desk.surface.transcript?.add({ type: "lines", lines });
      desk.surface.loop.request();
    },
    page: (page) => showPage(talk, page),
    follow: (text) => followText(talk, text),
    pageThread: () => pageThread(talk),
    choose: (choice) => desk.ask(createChooseFlow(choice), ending.signal),
    send,
    prefill: (text) => desk.change((ui) => ({ ...ui, composer: replaceText(ui.composer, text) })),
    runWork: (start) => runWork(talk, start, showBeside(talk.shownItems++)),
    showPast: () => showPast(talk),
    edit: (text) => edit(talk, text),
    copy: (text) =>
      copyText(text, { env: host.env, platform: host.platform, send: (sequence) => desk.surface.send(sequence) }),
    chooseTheme(theme) {
      desk.look.choose(theme);
      desk.surface.setPainter(desk.look.painter);
    },
    showReasoning: (view) => requireTranscript(talk).setReasoning(view),
    logIn: (way) => logInHere({ host, io, desk, signal: ending.signal }, conversation.config, way),
    leave: () => ending.abort(),
  };
}

function requireTranscript({ desk }: Talk): NonNullable<Talk["desk"]["surface"]["transcript"]> {
  const { transcript } = desk.surface;
  if (transcript === null) throw new Error("No thread is shown yet.");
  return transcript;
}

/** From its end, as one who looks back does. */
function pageThread({ desk }: Talk): void {
  const size = desk.surface.screen.size();
  const source = desk.surface.transcript?.openSource(size.columns - 1) ?? toSource([]);
  desk.page("Transcript", source);
  desk.change((ui) => (ui.pager === null ? ui : { ...ui, pager: endPager(ui.pager, size) }));
}

/** For what is read on a page of its own: nothing is left out. */
function toCellOptions({ desk, libraries, conversation }: Talk): CellOptions {
  const columns = desk.surface.screen.size().columns - 1;
  return { libraries, columns, cwd: conversation.config.cwd, reasoning: "shown", detail: "whole", more: "" };
}

function showPage(talk: Talk, { title, text, kind }: CommandPage): void {
  const options = toCellOptions(talk);
  switch (kind) {
    case "markdown":
      return talk.desk.page(title, toSource(renderMarkdown(text, { ...talk.libraries, columns: options.columns })));
    case "diff":
      return talk.desk.page(title, toSource(renderPatchDiff(text, options)));
    case "text":
      return talk.desk.page(title, toSource(toLines(text)));
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
export async function edit(talk: Talk, text: string): Promise<string | null> {
  const edited = await talk.desk.lend(() => editExternally(text, talk.io));
  if (edited.type === "edited") return edited.text;
  tell(talk, edited.message, "error");
  return null;
}
