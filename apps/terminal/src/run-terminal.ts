import {
  exitCodes,
  type ProcessIo,
  ProgramError,
  type ProcessTerminal,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import { createDesk, type Desk } from "./desk/create-desk.ts";
import { createProgramClock } from "./desk/program-clock.ts";
import { writeCrashLog } from "./device/write-crash-log.ts";
import type { EndedTalk } from "./talk/run-talk.ts";
import type { TerminalOptions } from "./terminal-options.ts";
import type { UiEffect } from "./ui/ui-state.ts";

/**
 * A conversation at the terminal, until the person leaves: painted, or line by line (`plain`, `TERM=dumb`). Returns the exit
 * code; throws `ProgramError` where there is no terminal. What runs threads is loaded behind the first frame.
 */
export async function runTerminal(options: TerminalOptions, io: ProcessIo): Promise<number> {
  if (options.plain === true || io.env["TERM"] === "dumb") {
    const { runChat } = await import("./plain/run-chat.ts");
    return runChat(options, io);
  }
  const { terminal } = io;
  if (terminal === undefined) {
    const message =
      'There is no terminal here: unroll exec "…" runs one task without one, unroll --plain takes its lines from stdin.';
    return reportFailure(new ProgramError("usage", message), io);
  }
  return runPainted(options, io, terminal);
}

async function runPainted(options: TerminalOptions, io: ProcessIo, terminal: ProcessTerminal): Promise<number> {
  using interruption = watchInterruption(io);
  const clock = createProgramClock(io);
  const ending = new AbortController();
  const early: UiEffect[] = [];
  let secrets: readonly string[] = [];
  const desk = createDesk({ terminal, clock, env: io.env, isAnimated: options.animation ?? true });
  interruption.signal.addEventListener("abort", () => ending.abort());
  desk.onEffect((effect) => takeEarly(effect, { desk, ending, early }));
  const stopCrash = terminal.onCrash((error) => io.exitNow(crash(error, { io, desk, secrets })));
  try {
    await new Promise<void>((resolve) => void clock.setTimer(0, resolve)); // the first frame, with the keys that were typed ahead
    const { runTalk } = await import("./talk/run-talk.ts");
    const ended = await runTalk({
      options,
      io,
      clock,
      desk,
      ending,
      early,
      onSecrets: (found) => void (secrets = found),
    });
    desk[Symbol.dispose]();
    if (interruption.exitCode !== exitCodes.SIGHUP) sayFarewell(ended, io);
    return interruption.exitCode ?? ended.exitCode;
  } catch (error) {
    desk[Symbol.dispose]();
    if (ending.signal.aborted) return interruption.exitCode ?? exitCodes.SIGINT;
    return reportFailure(error, io);
  } finally {
    stopCrash();
    desk[Symbol.dispose]();
  }
}

interface Early {
  readonly desk: Desk;
  readonly ending: AbortController;
  readonly early: UiEffect[];
}

/** While the program is being loaded. */
function takeEarly(effect: UiEffect, { desk, ending, early }: Early): void {
  if (effect.type === "left") ending.abort();
  else if (effect.type === "suspended") desk.suspend();
  else early.push(effect);
}

function sayFarewell({ farewell }: EndedTalk, io: ProcessIo): void {
  for (const line of farewell) io.stdout.stream.write(`${line}\n`);
}

interface CrashedProgram {
  readonly io: ProcessIo;
  readonly desk: Desk;
  readonly secrets: readonly string[];
}

/** The terminal first, then the words. Returns the exit code. */
function crash(error: unknown, { io, desk, secrets }: CrashedProgram): number {
  desk[Symbol.dispose]();
  const codexHome = io.env["CODEX_HOME"] || `${io.homeDirectory}/.codex`;
  const file = writeCrashLog(error, { codexHome, now: io.now(), secrets });
  const where = file === null ? "" : ` What happened is written in ${file}.`;
  const isKept = desk.surface.transcript?.entries.some(({ type }) => type === "person") ?? false;
  const how = isKept ? " unroll resume goes on with the conversation." : "";
  io.terminal?.writeNow(`unroll: this is a bug in unroll.${where}${how}\r\n`);
  return exitCodes.failed;
}
