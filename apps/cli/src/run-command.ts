import {
  createHost,
  createLineWriter,
  foldOutput,
  type ProcessIo,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { Host } from "@unroll/harness";
import { escapeHidden, showHidden, toShownText } from "@unroll/text";

/** The tools of a subcommand. */
export interface CommandRun {
  readonly io: ProcessIo;
  readonly host: Host;
  /** Aborts at ^C, and when nobody reads stdout any more. */
  readonly signal: AbortSignal;
  /** The width of the terminal that stdout is, for tables; null: it is none, or does not say. */
  readonly columns: number | null;
  /** Writes a line to stdout as it is. Waits for a slow reader; rejects once `signal` is aborted. */
  readonly write: (line: string) => Promise<void>;
  /** Writes text to stdout for people: invisible characters are escaped. Waits and rejects as `write` does. */
  readonly print: (text: string) => Promise<void>;
  /** The same, in rows that fit the terminal. */
  readonly printFolded: (text: string) => Promise<void>;
  /** Writes a value to stdout as JSON, on one line if there is no `indent`. Waits and rejects as `write` does. */
  readonly printJson: (value: unknown, indent?: number) => Promise<void>;
  /** Writes a line to stderr, behind the name of the program. */
  readonly complain: (text: string) => void;
}

/** Runs a subcommand and returns its exit code. An error is reported in one sentence; ^C and a closed stdout have exit codes of their own. */
export async function runCommand(io: ProcessIo, work: (run: CommandRun) => Promise<number>): Promise<number> {
  using interruption = watchInterruption(io);
  const { signal } = interruption;
  const onBroken = (error: Error): void => interruption.outputBroken(error);
  const stdout = createLineWriter(io.stdout.stream, { stopped: signal, onBroken });
  const write = async (line: string): Promise<void> => {
    signal.throwIfAborted();
    await stdout.write(`${line}\n`);
  };
  try {
    const exitCode = await work({
      io,
      host: createHost(io),
      signal,
      columns: io.stdout.isTerminal ? (io.stdout.size()?.columns ?? null) : null,
      write,
      print: (text) => write(showHidden(text)),
      printFolded: (text) => write(foldOutput(showHidden(text), io.stdout)),
      printJson: (value, indent) => write(escapeHidden(JSON.stringify(value, null, indent))),
      complain: (text) => void io.stderr.stream.write(`${foldOutput(`unroll: ${toShownText(text)}`, io.stderr)}\n`),
    });
    await stdout.flush();
    return interruption.exitCode ?? exitCode;
  } catch (error) {
    await stdout.flush();
    return interruption.exitCode ?? reportFailure(error, io);
  }
}
