import {
  createHostEnvironment,
  createLineWriter,
  createTextPrinter,
  createTextStyle,
  type EventPrinter,
  type ExecOptions,
  openExecModel,
  type ProcessIo,
  toExecFailure,
} from "@unroll/exec";
import { openThread, type Thread } from "@unroll/harness";
import { scrubInheritedFds } from "@unroll/process-tree";
import { createElicitationDialog } from "./elicitation-dialog.ts";
import { createTerminalPerson } from "./terminal-person.ts";
import { renderMcpServer } from "../render-mcp-server.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** A conversation at the terminal, line by line, until ^D or /quit. Returns the exit code: 2 for what is wrong at the start. */
export async function runChat(options: ExecOptions, io: ProcessIo): Promise<number> {
  using terminal = openTerminal(io);
  try {
    const host = createHostEnvironment(io);
    scrubInheritedFds([]);
    await using model = await openExecModel({ ...options, isAttended: true }, host);
    const { config } = model;
    await using thread = await openThread({
      host: { ...host, cwd: config.cwd },
      config,
      userAgent: model.userAgent,
      person: createTerminalPerson(terminal),
      elicit: createElicitationDialog(terminal),
    });
    for (const notice of model.notices) terminal.say(notice);
    terminal.say(`${config.model}, sandbox ${config.sandboxSettings.mode}, approvals ${config.approvalPolicy}. /help`);
    const printer = createPrinter(options, io, { cwd: config.cwd, showReasoning: !config.hideAgentReasoning });
    await converse(thread, terminal, printer);
    return 0;
  } catch (error) {
    const failure = toExecFailure(error);
    terminal.say(`unroll: ${failure.error.message}`);
    return failure.exitCode;
  }
}

function createPrinter(
  options: ExecOptions,
  io: ProcessIo,
  view: { readonly cwd: string; readonly showReasoning: boolean },
): EventPrinter {
  const never = new AbortController().signal;
  const stderr = createLineWriter(io.stderr.stream, { stopped: never, onBroken: () => {} });
  const style = createTextStyle(options.color ?? "auto", io.stderr.isTerminal, io.env["NO_COLOR"]);
  return createTextPrinter({ stdout: null, stderr, style, isTerminal: io.stderr.isTerminal, ...view });
}

const help = `/mcp    the MCP servers, and what their tools cost
/quit   leave (^D does too)
^C      stop the turn; what you type while one runs goes into its next request`;

async function converse(thread: Thread, terminal: Terminal, printer: EventPrinter): Promise<void> {
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
        await runTurn(thread, { terminal, printer }, line);
    }
  }
}

function renderServers(thread: Thread): string {
  const servers = thread.mcpServers();
  return servers.length === 0
    ? "No MCP server is configured (docs/mcp.md)."
    : servers.map(renderMcpServer).join("\n\n");
}

async function runTurn(
  thread: Thread,
  { terminal, printer }: { readonly terminal: Terminal; readonly printer: EventPrinter },
  text: string,
): Promise<void> {
  const stop = new AbortController();
  terminal.listen({
    interrupt: () => stop.abort(),
    line: (more) => void thread.send(more).then(() => terminal.say("(goes into the next request)")),
  });
  for await (const event of thread.run(text, { signal: stop.signal })) await printer.print(event);
}
