import { forEach } from "@unroll/flow";
import type { CompactionPreview, Host } from "@unroll/harness";
import {
  createLineWriter,
  exitCodes,
  findThreadId,
  loadProgramConfig,
  openProgramModel,
  openProgramStore,
  type ThreadFlags,
  toUserAgent,
} from "@unroll/program";
import type { ThreadEvent } from "@unroll/protocol";
import { renderPreview } from "@unroll/report";
import { compactThread, previewCompaction, type ThreadTarget, undoCompaction } from "@unroll/use-cases/compact";
import { loadThreadModel } from "@unroll/use-cases/models";
import { chooseTextStyle, createTextPrinter, toJsonLine } from "@unroll/view";
import type { CommandRun } from "../run-command.ts";

/** The flags of `unroll threads compact`. */
export interface CompactFlags extends ThreadFlags {
  readonly focus?: string;
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

/** Returns the exit code: 1 if the thread could not be compacted. Throws if there is no such thread, or nothing to undo. */
export async function compactSaved(id: string, flags: CompactFlags, run: CommandRun): Promise<number> {
  const { io, host, signal, write, print } = run;
  if (flags.dryRun) return preview(id, flags, run);
  await using model = await openProgramModel(flags, host, { signal });
  const { config } = model;
  const store = await openProgramStore(config, io);
  const loadModel = toModelLoader(flags, host);
  const kept = { id, store, config, host, userAgent: toUserAgent("unroll_threads", host), signal, loadModel };
  if (flags.undo) {
    const opened = await undoCompaction(kept);
    await (flags.json ? writeEvent(opened, write) : print(undone));
    return exitCodes.completed;
  }
  const outcome = await forEach(compactThread(kept, flags.focus ?? null), openPrinter(flags, run, config.cwd));
  return outcome.type === "completed" ? exitCodes.completed : exitCodes.failed;
}

const undone = "Undid the last compaction; newer messages are kept.";

async function preview(id: string, flags: CompactFlags, { io, host, write, printJson }: CommandRun): Promise<number> {
  const config = await loadProgramConfig(flags, host);
  const store = await openProgramStore(config, io);
  const { entries } = await store.load(await findThreadId(store, { name: id, cwd: config.cwd, all: false }));
  const found = await previewCompaction(entries, config, toModelLoader(flags, host));
  await (flags.json ? printJson(toWire(found)) : write(renderPreview(found)));
  return exitCodes.completed;
}

function toModelLoader(flags: CompactFlags, host: Host): NonNullable<ThreadTarget["loadModel"]> {
  return (opened, now) => loadThreadModel(opened, { flags, host, now });
}

/** Names are those of the events. */
function toWire(found: CompactionPreview): object {
  const counts = { type: found.type, tokens_before: found.tokensBefore, tokens_after: found.tokensAfter };
  if (found.type === "too_little") return counts;
  const { initialMessages: initial_messages, userMessages: user_messages, steps } = found.kept;
  return { ...counts, kept: { initial_messages, user_messages, steps }, before: found.before, after: found.after };
}

function openPrinter(
  { color = "auto", json }: CompactFlags,
  { io, signal, write, print }: CommandRun,
  cwd: string,
): (event: ThreadEvent) => Promise<void> {
  if (json) return (event) => writeEvent(event, write);
  const stderr = createLineWriter(io.stderr.stream, { stopped: signal, onBroken: () => {} });
  const style = chooseTextStyle(color, { isTerminal: io.stderr.isTerminal, env: io.env });
  const printer = createTextPrinter({ style, cwd, showReasoning: false, finalMessage: "progress", questions: "shown" });
  return async (event) => {
    for (const { text } of printer.print(event)) await stderr.write(text);
    if (event.type === "compaction.completed" && event.summary !== null) await print(event.summary);
  };
}

async function writeEvent(event: ThreadEvent, write: CommandRun["write"]): Promise<void> {
  const line = toJsonLine(event);
  if (line !== null) await write(line.trimEnd());
}
