import type { ResolvedConfig } from "@unroll/config";
import type { Thread } from "@unroll/harness";
import {
  createHostEnvironment,
  exitCodes,
  openProgramModel,
  findNamedImages,
  openToldThread,
  type ProcessIo,
  ProgramError,
  reportFailure,
  type ThreadFlags,
  toProgramFailure,
  toUserAgent,
  watchInterruption,
} from "@unroll/program";
import type { ThreadEvent, UserInput, UserInputPart } from "@unroll/protocol";
import { scrubInheritedFds } from "@unroll/process-tree";
import { describeThrown, showHidden } from "@unroll/text";
import { chooseTextStyle, createTextPrinter } from "@unroll/view";
import { createOwnModel, openAsWished } from "../conversation/own-model.ts";
import { readPictures } from "../device/read-pictures.ts";
import { renderMcpServer } from "@unroll/report";
import { measureServer } from "@unroll/use-cases/mcp";
import { createModelDialog } from "./create-model-dialog.ts";
import { createTerminalPerson } from "./create-terminal-person.ts";
import { type ChatOrigin, openOrigin } from "./open-origin.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export interface ChatOptions extends ThreadFlags {
  /** Sent first. Absent: nothing is. */
  readonly prompt?: string;
  /** Pictures that go with it, or without one with the first line. */
  readonly image?: readonly string[];
  /** The thread to go on with. Absent: a new one. */
  readonly from?: ChatOrigin;
  /** Keeps the thread out of the store. */
  readonly ephemeral?: boolean;
  /** Passes over the rules of the user. */
  readonly ignoreRules?: boolean;
  /** Does not ask before a thread that goes on begins its requests anew. */
  readonly allowCacheBreak?: boolean;
}

/** A conversation at the terminal, line by line, until ^D or /quit. Returns the exit code: 2 for what is wrong at the start. */
export async function runChat(flags: ChatOptions, io: ProcessIo): Promise<number> {
  using terminal = openTerminal(io);
  using interruption = watchInterruption(io);
  const leaving = new AbortController();
  terminal.listen({ interrupt: () => leaving.abort(), line: () => {} });
  try {
    const host = createHostEnvironment(io);
    scrubInheritedFds([]);
    const signal = AbortSignal.any([interruption.signal, leaving.signal]);
    await using model = await openProgramModel(flags, host, {
      signal,
      dialog: createModelDialog(terminal, signal),
      io,
    });
    const { config } = model;
    const print = openPrinter(terminal, io, { flags, config });
    const origin = await openOrigin(flags, config, io);
    const pictures = await readPictures(await findNamedImages(flags.image ?? [], io.cwd), {
      cwd: config.cwd,
      homeDirectory: host.homeDirectory,
    });
    if (pictures.type === "unreadable") throw new ProgramError("usage", pictures.message);
    const ownModel = createOwnModel(flags, host);
    const threadOptions = {
      ...origin.options,
      ...(flags.allowCacheBreak === true && { allowPrefixBreak: true }),
      host: { ...host, cwd: config.cwd },
      userAgent: toUserAgent("unroll_chat", host),
      person: createTerminalPerson(terminal, ownModel.wish),
      ignoreRules: flags.ignoreRules ?? false,
      waitForMcp: flags.waitMcp ?? false,
      signal,
    };
    const opened = await openAsWished(model.config, ownModel, async (own) => ({
      thread: await openToldThread({ ...threadOptions, config: own }, print),
      config: own,
    }));
    await using thread = opened.thread;
    if (origin.tells !== null) terminal.say(origin.tells(thread.id));
    for (const notice of model.notices) terminal.say(notice);
    terminal.say(describeConfig(opened.config));
    await using _telling = tellBetweenTurns(thread, print);
    const chat = { terminal, print, stopped: interruption.signal };
    const hasSpoken = await converse(thread, chat, { prompt: flags.prompt ?? null, pictures: pictures.parts });
    const isKept = hasSpoken || origin.options.resume !== undefined;
    if (isKept && !origin.options.ephemeral) terminal.say(`to go on with it: unroll resume ${thread.id}`);
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    const exitCode = reportFailure(error, io);
    return interruption.exitCode ?? (leaving.signal.aborted ? exitCodes.SIGINT : exitCode);
  }
}

function describeConfig({ model, sandboxSettings, approvalPolicy }: ResolvedConfig): string {
  return `${model}, sandbox ${sandboxSettings.mode}, approvals ${approvalPolicy}. /help`;
}

type Print = (event: ThreadEvent) => Promise<void>;

function openPrinter(
  terminal: Terminal,
  io: ProcessIo,
  { flags, config }: { readonly flags: ThreadFlags; readonly config: ResolvedConfig },
): Print {
  const style = chooseTextStyle(flags.color ?? "auto", {
    isTerminal: io.stderr.isTerminal,
    env: io.env,
  });
  const columns = (): number | null => terminal.size()?.columns ?? null;
  const view = { style, cwd: config.cwd, showReasoning: !config.hideAgentReasoning };
  const printer = createTextPrinter({ finalMessage: "progress", questions: "elsewhere", columns, ...view });
  return async (event) => {
    for (const { text } of printer.print(event)) await terminal.tell(text);
  };
}

/** MCP servers that come up, commands that end: at once, above the line that is being typed. */
function tellBetweenTurns(thread: Thread, print: Print): AsyncDisposable {
  const ending = new AbortController();
  async function read(): Promise<void> {
    for await (const { event } of thread.events({ signal: ending.signal, ofTurns: false })) await print(event);
  }
  const reading = read();
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await reading;
    },
  };
}

const help = `/compact [FOCUS]  shorten the conversation: a summary takes the place of what is old, and dwells on FOCUS
/compact preview  what would stay
/compact undo     what it was before it was last shortened
/mcp              the MCP servers, and what their tools cost
/quit             leave (^D does too)
^C                stop the turn; what you type while one runs goes into its next request
A line that begins with a blank goes to the model, whatever it is.`;

interface Conversation {
  readonly terminal: Terminal;
  readonly print: Print;
  /** Aborts when the process is told to end. */
  readonly stopped: AbortSignal;
}

interface Beginning {
  /** Null: the first line is. */
  readonly prompt: string | null;
  readonly pictures: readonly UserInputPart[];
}

/** Returns whether anything was said. */
async function converse(thread: Thread, conversation: Conversation, { prompt, pictures }: Beginning): Promise<boolean> {
  const { terminal, stopped } = conversation;
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, stopped]);
  let hasSpoken = false;
  const say = async (text: string): Promise<void> => {
    const input = hasSpoken || pictures.length === 0 ? text : [...pictures, { type: "text", text } as const];
    if (await runTurn(thread, conversation, input)) hasSpoken = true;
  };
  if (prompt !== null) {
    terminal.say(`\n> ${showHidden(prompt)}`);
    await say(prompt);
  }
  while (!signal.aborted) {
    terminal.listen({ interrupt: () => leaving.abort(), line: () => {} });
    const line = (await terminal.ask("\n> ", { signal, takesEarly: true })) ?? "/quit";
    const command = readCommandName(line);
    switch (command) {
      case null:
        if (line.trim() !== "") await say(line.trim());
        continue;
      case "/quit":
        return hasSpoken;
      case "/help":
        terminal.say(help);
        continue;
      case "/mcp":
        terminal.say(renderServers(thread));
        continue;
      case "/compact":
        await compact(thread, conversation, line);
        continue;
      default:
        terminal.say(`unknown command ${command}, /help lists them`);
    }
  }
  return hasSpoken;
}

/** Null: it is none, as a path is none. */
function readCommandName(line: string): string | null {
  return /^\/[\w-]+(?!\S)/.exec(line)?.[0] ?? null;
}

async function compact(thread: Thread, chat: Conversation, line: string): Promise<void> {
  const { runCompact } = await import("./run-compact.ts");
  await runCompact(thread, chat, line.slice("/compact".length).trim());
}

function renderServers(thread: Thread): string {
  const servers = thread.mcpServers();
  return servers.length === 0
    ? "No MCP server is configured (docs/mcp.md)."
    : servers.map((server) => renderMcpServer(measureServer(server))).join("\n\n");
}

/** What was told before the turn is shown already. A turn that cannot begin, as its input cannot be read, is told. Returns whether it began. */
async function runTurn(thread: Thread, { terminal, print, stopped }: Conversation, input: UserInput): Promise<boolean> {
  const stop = new AbortController();
  terminal.listen({ interrupt: () => stop.abort(), line: (more) => void send(thread, terminal, more) });
  let hasBegun = false;
  try {
    for await (const event of thread.run(input, { signal: AbortSignal.any([stop.signal, stopped]) })) {
      hasBegun ||= event.type === "turn.started";
      if (hasBegun) await print(event);
    }
  } catch (error) {
    const { error: failure, stack } = toProgramFailure(error);
    if (stack !== null) throw error;
    terminal.say(`not sent: ${failure.message}`);
  }
  return hasBegun;
}

async function send(thread: Thread, terminal: Terminal, text: string): Promise<void> {
  const command = readCommandName(text);
  if (command !== null) return terminal.tell(`(${command} can be had when the turn is over; ^C stops it)\n`);
  try {
    await thread.send(text);
    await terminal.tell("(goes into the next request)\n");
  } catch (error) {
    await terminal.tell(`not sent: ${describeThrown(error)}\n`);
  }
}
