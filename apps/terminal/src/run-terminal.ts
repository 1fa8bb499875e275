import {
  exitCodes,
  type Interruption,
  type ProcessIo,
  ProgramError,
  type ProcessTerminal,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { AppOptions } from "./app/app.ts";
import { createProgramClock } from "./device/program-clock.ts";
import { writeCrashLog } from "./device/write-crash-log.ts";
import { createInlineDriver, type InlineDriver } from "./inline/inline-driver.ts";
import type { TerminalOptions } from "./terminal-options.ts";

/**
 * Runs the program at the terminal until you leave: painted, or line by line (`plain`, `TERM=dumb`). Returns the exit code. The harness
 * is loaded after the first frame.
 */
export async function runTerminal(options: TerminalOptions, io: ProcessIo): Promise<number> {
  if (options.plain === true || io.env["TERM"] === "dumb") return runPlain(options, io);
  const { terminal } = io;
  if (terminal === undefined) {
    const message =
      'There is no terminal here. Use unroll exec "…" to run one task, or unroll --plain to read lines from stdin.';
    return reportFailure(new ProgramError("usage", message), io);
  }
  return runInline(options, io, terminal);
}

async function runPlain(options: TerminalOptions, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  const { createPlainDriver } = await import("./plain/plain-driver.ts");
  const ending = new AbortController();
  using driver = createPlainDriver({ io, color: options.color ?? "auto", leave: () => ending.abort() });
  return await run(
    { options, io, driver, ending, clock: createProgramClock(io), onSecrets: () => {} },
    interruption,
    io.stderr,
  );
}

async function runInline(options: TerminalOptions, io: ProcessIo, terminal: ProcessTerminal): Promise<number> {
  using interruption = watchInterruption(io);
  const clock = createProgramClock(io);
  const ending = new AbortController();
  let secrets: readonly string[] = [];
  using driver = createInlineDriver({
    terminal,
    clock,
    env: io.env,
    isAnimated: options.animation ?? true,
    leave: () => ending.abort(),
  });
  const stopCrash = terminal.onCrash((error) => io.exitNow(crash(error, { io, driver, secrets })));
  try {
    await new Promise<void>((resolve) => void clock.setTimer(0, resolve)); // the first frame, with the keys that were typed ahead
    const onSecrets = (found: readonly string[]): void => void (secrets = found);
    return await run({ options, io, clock, driver, ending, onSecrets }, interruption, io.stdout);
  } finally {
    stopCrash();
  }
}

/** `output`: takes the last lines, once the terminal is yours again. Returns the exit code. */
async function run(app: AppOptions, interruption: Interruption, output: ProcessIo["stdout"]): Promise<number> {
  const { io, driver, ending } = app;
  interruption.signal.addEventListener("abort", () => ending.abort());
  try {
    const { runApp } = await import("./app/run-app.ts");
    const farewell = await runApp(app);
    driver[Symbol.dispose]();
    const isGone = interruption.exitCode === exitCodes.SIGHUP;
    for (const line of isGone ? [] : farewell) output.stream.write(`${line}\n`);
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    driver[Symbol.dispose]();
    const isLeft = ending.signal.aborted && (driver.live !== null || error === ending.signal.reason);
    const exitCode = isLeft ? exitCodes.SIGINT : reportFailure(error, io);
    return interruption.exitCode ?? (ending.signal.aborted ? exitCodes.SIGINT : exitCode);
  }
}

interface CrashedProgram {
  readonly io: ProcessIo;
  readonly driver: InlineDriver;
  readonly secrets: readonly string[];
}

/** Gives the terminal back, then prints what happened. Returns the exit code. */
function crash(error: unknown, { io, driver, secrets }: CrashedProgram): number {
  driver[Symbol.dispose]();
  const codexHome = io.env["CODEX_HOME"] || `${io.homeDirectory}/.codex`;
  const file = writeCrashLog(error, { codexHome, now: io.now(), secrets });
  const where = file === null ? "" : ` Details are in ${file}.`;
  const how = driver.hasSent ? " Continue with unroll resume." : "";
  io.terminal?.writeNow(`unroll: unroll crashed, which is a bug.${where}${how}\r\n`);
  return exitCodes.failed;
}
