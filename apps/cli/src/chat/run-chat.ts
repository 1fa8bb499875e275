import { openThread, type Thread } from "@unroll/harness";
import {
  createHostEnvironment,
  createLineWriter,
  exitCodes,
  openProgramModel,
  type ProcessIo,
  reportFailure,
  type ThreadFlags,
  toUserAgent,
} from "@unroll/program";
import type { ThreadEvent } from "@unroll/protocol";
import { scrubInheritedFds } from "@unroll/process-tree";
import { chooseTextStyle, createTextPrinter, type RenderOptions } from "@unroll/view";
import { renderMcpServer } from "../render-mcp-server.ts";
import { createTerminalPerson } from "./create-terminal-person.ts";
import { type ChatOrigin, openOrigin } from "./open-origin.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export interface ChatOptions extends ThreadFlags {
  /** The thread to go on with. Absent: a new one. */
  readonly from?: ChatOrigin;
  /** Does not ask before a thread that goes on begins its requests anew. */
  readonly allowCacheBreak?: boolean;
}

/** A conversation at the terminal, line by line, until ^D or /quit. Returns the exit code: 2 for what is wrong at the start. */
export async function runChat(flags: ChatOptions, io: ProcessIo): Promise<number> {
  using terminal = openTerminal(io);
  try {
    const host = createHostEnvironment(io);
    scrubInheritedFds([]);
    await using model = await openProgramModel(flags, host);
    const { config } = model;
    const origin = await openOrigin(flags.from ?? null, config, io);
    await using thread = await openThread({
      ...origin.options,
      ...(flags.allowCacheBreak === true && { allowPrefixBreak: true }),
      host: { ...host, cwd: config.cwd },
      config,
      userAgent: toUserAgent("unroll_chat", host),
      person: createTerminalPerson(terminal),
    });
    if (origin.tells !== null) terminal.say(origin.tells(thread.id));
    for (const notice of model.notices) terminal.say(notice);
    terminal.say(`${config.model}, sandbox ${config.sandboxSettings.mode}, approvals ${config.approvalPolicy}. /help`);
    const style = chooseTextStyle(flags.color ?? "auto", {
      isTerminal: io.stderr.isTerminal,
      noColor: io.env["NO_COLOR"] ?? null,
    });
    const print = openPrinter(terminal, io, { style, cwd: config.cwd, showReasoning: !config.hideAgentReasoning });
    await converse(thread, terminal, print);
    return exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}

type Print = (event: ThreadEvent) => Promise<void>;

/** Waits while a question is open: the turn goes on when it is answered. */
function openPrinter(terminal: Terminal, io: ProcessIo, view: RenderOptions): Print {
  const never = new AbortController().signal;
  const stderr = createLineWriter(io.stderr.stream, { stopped: never, onBroken: () => {} });
  const printer = createTextPrinter({ finalMessage: "progress", questions: "elsewhere", ...view });
  return async (event) => {
    for (const { text } of printer.print(event)) {
      await terminal.whenFree();
      await stderr.write(text);
    }
  };
}

const help = `/compact [FOCUS]  shorten the conversation: a summary takes the place of what is old, and dwells on FOCUS
/compact preview  what would stay
/compact undo     what it was before it was last shortened
/mcp              the MCP servers, and what their tools cost
/quit             leave (^D does too)
^C                stop the turn; what you type while one runs goes into its next request`;

async function converse(thread: Thread, terminal: Terminal, print: Print): Promise<void> {
  const leaving = new AbortController();
  while (!leaving.signal.aborted) {
    terminal.listen({ interrupt: () => leaving.abort(), line: () => {} });
    const line = (await terminal.ask("\n> ", { signal: leaving.signal }))?.trim() ?? "/quit";
    switch (line) {
      case "":
        continue;
      case "/quit":
        return;
      case "/help":
        terminal.say(help);
        continue;
      case "/mcp":
        terminal.say(renderServers(thread));
        continue;
      default:
        if (/^\/compact(\s|$)/.test(line)) await compact(thread, { terminal, print }, line);
        else if (/^\/[\w-]+$/.test(line)) terminal.say(`unknown command ${line}, /help lists them`);
        else await runTurn(thread, { terminal, print }, line);
    }
  }
}

interface Chat {
  readonly terminal: Terminal;
  readonly print: Print;
}

async function compact(thread: Thread, chat: Chat, line: string): Promise<void> {
  const { runCompact } = await import("./run-compact.ts");
  await runCompact(thread, chat, line.slice("/compact".length).trim());
}

function renderServers(thread: Thread): string {
  const servers = thread.mcpServers();
  return servers.length === 0
    ? "No MCP server is configured (docs/mcp.md)."
    : servers.map(renderMcpServer).join("\n\n");
}

async function runTurn(thread: Thread, { terminal, print }: Chat, text: string): Promise<void> {
  const stop = new AbortController();
  terminal.listen({
    interrupt: () => stop.abort(),
    line: (more) => void thread.send(more).then(() => terminal.say("(goes into the next request)")),
  });
  for await (const event of thread.run(text, { signal: stop.signal })) await print(event);
}
