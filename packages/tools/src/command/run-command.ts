import { forEach } from "@unroll/flow";
import type { CommandExecutionThreadItem, CommandOutcome, CommandSpec } from "@unroll/protocol";
import { createOutputRecord, type OutputRecord } from "../output/output-record.ts";
import { reportEnd, toEndedItem } from "../output/report-command.ts";
import type { CommandGate, CommandRequest } from "../port/command-gate.ts";
import type { CommandRunner } from "../port/command-runner.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { ToolContext, ToolResult } from "../tool/tool.ts";
import { admitCommand } from "./admit-command.ts";

export interface CommandPorts {
  readonly runner: CommandRunner;
  readonly commandGate: CommandGate;
  /** Where output goes whole that is too long for the model. Absent: what is cut is gone. */
  readonly outputFiles?: OutputFiles;
}

/** Escape sequences and lines rewritten in place shrink when they are cleaned: more is captured than is shown. */
export const CAPTURE_FACTOR = 4;

/** A command that has ended, and its output. */
interface RanCommand {
  readonly outcome: CommandOutcome;
  readonly record: OutputRecord;
}

interface AdmittedCommand {
  readonly request: CommandRequest;
  readonly spec: CommandSpec;
  readonly itemId: string;
}

/** Judges a command and runs it if it may; tells the thread as it goes on, and the model how it ended. */
export async function runCommand(
  ports: CommandPorts,
  { request, timeoutMs }: { readonly request: CommandRequest; readonly timeoutMs: number },
  context: ToolContext,
): Promise<ToolResult> {
  const admission = await admitCommand(ports.commandGate, request, context);
  if (admission.type === "declined") return { output: admission.output };

  const { item, confinement } = admission;
  const { argv, cwd } = request;
  const maxBytes = context.maxOutputBytes;
  let ended: CommandExecutionThreadItem = { ...item, status: "failed" };
  try {
    const spec = { argv, cwd, timeoutMs, maxOutputBytes: maxBytes * CAPTURE_FACTOR, confinement };
    const { outcome, record } = await runConfined(ports, { request, spec, itemId: item.id }, context);
    ended = { ...item, ...toEndedItem(outcome, maxBytes) };
    return { output: await reportEnd({ outcome, timeoutMs }, { maxBytes, locate: record.locate }) };
  } finally {
    await context.emit({ type: "item.completed", item: ended });
  }
}

/** Runs the command, and once more outside the sandbox where the sandbox stopped it and the gate then lets it out. */
async function runConfined(ports: CommandPorts, command: AdmittedCommand, context: ToolContext): Promise<RanCommand> {
  const { request, spec } = command;
  const ran = await runOnce(ports, command, context);
  if (!("denial" in ran.outcome) || spec.confinement === "none") return ran;
  const verdict = await ports.commandGate.reconsider?.(request, ran.outcome.denial, context.signal);
  if (verdict?.type !== "run") return ran;
  return runOnce(ports, { ...command, spec: { ...spec, confinement: verdict.confinement } }, context);
}

async function runOnce(
  ports: CommandPorts,
  { spec, itemId }: AdmittedCommand,
  context: ToolContext,
): Promise<RanCommand> {
  const record = createOutputRecord(ports.outputFiles, context.maxOutputBytes);
  try {
    const outcome = await forEach(ports.runner.run(spec, context.signal), async ({ text }) => {
      await record.write(text);
      await context.emit({ type: "item.delta", item_id: itemId, kind: "command_output", delta: text });
    });
    return { outcome, record };
  } finally {
    await record.close();
  }
}
