import type { CommandExecutionThreadItem, CommandOutcome, CommandOutput } from "@unroll/protocol";
import { describeThrown, type SecretMask } from "@unroll/text";
import type { JudgedCommand } from "../command/plan-command-call.ts";
import { captureFactor, toCommandSpec } from "../command/run-command.ts";
import { type EndedCommand, reportEnd, reportRunning, toEndedItem } from "../output/report-command.ts";
import { type Clock, forEach, longestTimerMs } from "@unroll/flow";
import type { DeclinedVerdict } from "../port/call-gate.ts";
import type { BackgroundCommandRunner, CommandRunner } from "../port/command-runner.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { ToolContext } from "../tool/tool.ts";
import { createKeyboard, type Keyboard } from "./keyboard.ts";
import { createSessionOutput, type SessionOutput } from "./session-output.ts";

/** Context for starting a command, and for its output. */
export interface SessionPorts {
  readonly runner: CommandRunner & BackgroundCommandRunner;
  readonly clock: Clock;
  /** As of `CommandPorts`. */
  readonly outputFiles?: OutputFiles;
  /** As of `CommandPorts`. */
  readonly secrets?: SecretMask;
  /** Called as a command starts. Says from then on whether it reaches more than one that starts now. Absent: none ever does. */
  readonly noteWalls?: () => () => boolean;
}

/** A command to start. */
export interface SessionCommand extends JudgedCommand {
  /** Whether it gets a terminal, and so can be typed to. */
  readonly hasTerminal: boolean;
  /** How much of its output the thread is shown at its end. */
  readonly maxOutputBytes: number;
}

/** A command that may outlive calls. Its output is read all the time, so that it never waits for a call. */
export interface CommandSession {
  readonly id: number;
  readonly command: SessionCommand;
  /** Null while the command runs. */
  readonly outcome: CommandOutcome | null;
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  /** Whether its sandbox is weaker than that of a command started now: it keeps its own. */
  readonly reachesMore: () => boolean;
  /** Types at its terminal; does nothing without one. */
  readonly keyboard: Pick<Keyboard, "type" | "unsent">;
  /** Ends the command and all it started. Resolves when nothing of it is left. */
  stop(by: NonNullable<EndedCommand["stoppedBy"]>): Promise<void>;
  /** Shows its output live until it ends, `ms` are over or the turn is interrupted. */
  follow(context: ToolContext, ms: number): Promise<void>;
  /** The end of what it wrote, for a person; masked as the model's is. */
  tail(): string;
  /** For the model: how it stands, and what it wrote since the last report. */
  report(maxBytes: number): Promise<string>;
  /** For the thread: its end, or while it runs the end of its output so far. */
  toItem(): CommandExecutionThreadItem;
  /** As `refusal` of an `EndedCommand`. */
  refuse(refusal: DeclinedVerdict | null): void;
}

/** In characters; wide enough for most tables. */
const terminalSize = { columns: 120, rows: 40 };

/** Starts the command at once. */
export function startCommandSession(
  { runner, clock, outputFiles, secrets, noteWalls = () => () => false }: SessionPorts,
  { id, command }: { readonly id: number; readonly command: SessionCommand },
): CommandSession {
  const item = { ...command.item, started_at: clock.now() };
  const startedAt = clock.elapsed();
  const reachesMore = noteWalls();
  const stopper = new AbortController();
  const keyboard = createKeyboard();
  const output = createSessionOutput({
    itemId: item.id,
    maxBytes: toCaptureBytes(command),
    files: outputFiles ?? null,
  });
  let outcome: CommandOutcome | null = null;
  let stoppedBy: EndedCommand["stoppedBy"];
  let refusal: DeclinedVerdict | null = null;

  async function run(): Promise<void> {
    const running = runCommandIn(runner, command, { signal: stopper.signal, onOpen: keyboard.open });
    outcome = await keepOutput(running, output);
    keyboard.close();
    await output.close();
  }

  const toEnd = (ended: CommandOutcome): EndedCommand => ({ outcome: ended, refusal, ...(stoppedBy && { stoppedBy }) });
  const readTail = (): string => (secrets ? secrets.mask(output.tail()) : output.tail());
  const ended = run();
  return {
    id,
    command,
    get outcome() {
      return outcome;
    },
    ended,
    reachesMore,
    keyboard,
    async stop(by) {
      stoppedBy ??= by;
      stopper.abort();
      await ended;
    },
    async follow(context, ms) {
      const over = new AbortController();
      const limit = clock.sleep(ms, AbortSignal.any([context.signal, over.signal]));
      await output.follow(context, Promise.race([ended, limit])).finally(() => over.abort());
    },
    tail: readTail,
    report(maxBytes) {
      const options = { maxBytes, locate: output.locate, secrets };
      const taken = output.take();
      if (outcome) return reportEnd({ ...toEnd(outcome), output: taken }, options);
      return reportRunning({ sessionId: id, durationMs: clock.elapsed() - startedAt, output: taken }, options);
    },
    toItem: () =>
      outcome === null
        ? { ...item, aggregated_output: readTail() }
        : {
            ...item,
            ...toEndedItem(toEnd(outcome), { maxBytes: command.maxOutputBytes, secrets }),
            duration_ms: "durationMs" in outcome ? Math.round(outcome.durationMs) : 0,
          },
    refuse(verdict) {
      refusal = verdict;
    },
  };
}

/** Runs the command with or without a terminal. Without one its stdin is at its end: programs that look there first must not wait. */
async function* runCommandIn(
  runner: SessionPorts["runner"],
  command: SessionCommand,
  { signal, onOpen }: { readonly signal: AbortSignal; readonly onOpen: (write: (text: string) => void) => void },
): AsyncGenerator<CommandOutput, CommandOutcome> {
  // it has no time limit of its own
  const spec = toCommandSpec(command, { timeoutMs: longestTimerMs, maxOutputBytes: toCaptureBytes(command) });
  if (!command.hasTerminal) return yield* runner.run(spec, signal);
  const start = await runner.startBackgroundCommand({ ...spec, terminal: terminalSize }, signal);
  if (start.type !== "opened") return start;
  onOpen(start.session.write);
  return yield* start.session.output;
}

/** A runner that breaks is an outcome: nobody may be waiting who could catch it. */
async function keepOutput(
  running: AsyncGenerator<CommandOutput, CommandOutcome>,
  output: SessionOutput,
): Promise<CommandOutcome> {
  try {
    return await forEach(running, ({ text }) => output.write(text));
  } catch (error) {
    return { type: "not_started", message: describeThrown(error) };
  }
}

function toCaptureBytes({ maxOutputBytes }: SessionCommand): number {
  return maxOutputBytes * captureFactor;
}
