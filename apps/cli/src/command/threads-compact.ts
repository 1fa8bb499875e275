import { forEach } from "@unroll/flow";
import type { CompactionPreview } from "@unroll/harness";
import {
  createHost,
  createLineWriter,
  exitCodes,
  findThreadId,
  type Interruption,
  loadProgramConfig,
  openProgramModel,
  openProgramStore,
  type ProcessIo,
  type ThreadFlags,
  toProgramFailure,
  toUserAgent,
  watchInterruption,
} from "@unroll/program";
import type { ThreadEvent } from "@unroll/protocol";
import { showHidden } from "@unroll/text";
import { chooseTextStyle, createTextPrinter, toJsonLine } from "@unroll/view";
import { renderPreview } from "@unroll/report";
import { compactThread, previewCompaction, undoCompaction } from "@unroll/use-cases/compact";

export interface CompactFlags extends ThreadFlags {
  readonly focus?: string;
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

interface CompactOptions extends CompactFlags {
  readonly id: string;
}

interface CompactRun {
  readonly io: ProcessIo;
  readonly interruption: Interruption;
  /** Onto stdout, with its line break. */
  readonly write: (text: string) => Promise<void>;
}

/** Returns the exit code: 1 where the thread could not be shortened, 2 where there is no such thread, or nothing to undo. */
export async function compactKeptThread(options: CompactOptions, io: ProcessIo): Promise<number> {
  using interruption = watchInterruption(io);
  const onBroken = (error: Error): void => interruption.outputBroken(error);
  const stdout = createLineWriter(io.stdout.stream, { stopped: interruption.signal, onBroken });
  const run: CompactRun = { io, interruption, write: (text) => stdout.write(text) };
  try {
    const exitCode = options.dryRun ? await preview(options, run) : await compactStored(options, run);
    return interruption.exitCode ?? exitCode;
  } catch (error) {
    const failure = toProgramFailure(error);
    io.stderr.stream.write(`unroll: ${failure.error.message}\n${failure.stack === null ? "" : `${failure.stack}\n`}`);
    return interruption.exitCode ?? failure.exitCode;
  } finally {
    await stdout.flush();
  }
}

async function preview(options: CompactOptions, { io, write }: CompactRun): Promise<number> {
  const config = await loadProgramConfig(options, createHost(io));
  const store = await openProgramStore(config.codexHome, io);
  const { entries } = await store.load(await findThreadId(store, { name: options.id, cwd: config.cwd, all: false }));
  const found = await previewCompaction(entries, config);
  await write(options.json ? `${JSON.stringify(toWire(found))}\n` : `${renderPreview(found)}\n`);
  return exitCodes.completed;
}

/** Names are those of the events. */
function toWire(found: CompactionPreview): object {
  const counts = { type: found.type, tokens_before: found.tokensBefore, tokens_after: found.tokensAfter };
  if (found.type === "too_little") return counts;
  const { initialMessages: initial_messages, userMessages: user_messages, steps } = found.kept;
  return { ...counts, kept: { initial_messages, user_messages, steps }, before: found.before, after: found.after };
}

async function compactStored(options: CompactOptions, run: CompactRun): Promise<number> {
  const { io, interruption, write } = run;
  const host = createHost(io);
  const { signal } = interruption;
  await using model = await openProgramModel(options, host, { signal });
  const { config } = model;
  const store = await openProgramStore(config.codexHome, io);
  const kept = { id: options.id, store, config, host, userAgent: toUserAgent("unroll_threads", host), signal };
  if (options.undo) {
    const opened = await undoCompaction(kept);
    await write(options.json ? (toJsonLine(opened) ?? "") : undone);
    return exitCodes.completed;
  }
  const outcome = await forEach(compactThread(kept, options.focus ?? null), openPrinter(options, run, config.cwd));
  return outcome.type === "completed" ? exitCodes.completed : exitCodes.failed;
}

const undone = "It is what it was before it was last shortened, with what was said since behind it.\n";

function openPrinter(
  { color = "auto", json }: CompactOptions,
  { io, interruption, write }: CompactRun,
  cwd: string,
): (event: ThreadEvent) => Promise<void> {
  if (json) return async (event) => write(toJsonLine(event) ?? "");
  const stderr = createLineWriter(io.stderr.stream, { stopped: interruption.signal, onBroken: () => {} });
  const style = chooseTextStyle(color, { isTerminal: io.stderr.isTerminal, env: io.env });
  const printer = createTextPrinter({ style, cwd, showReasoning: false, finalMessage: "progress", questions: "shown" });
  return async (event) => {
    for (const { text } of printer.print(event)) await stderr.write(text);
    if (event.type === "compaction.completed" && event.summary !== null) await write(`${showHidden(event.summary)}\n`);
  };
}
