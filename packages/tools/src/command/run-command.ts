import { forEach } from "@unroll/flow";
import type { CommandOutcome, CommandSpec } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { createOutputRecord, type OutputRecord } from "../output/output-record.ts";
import { reportEnd, toEndedItem } from "../output/report-command.ts";
import type { CommandLine, DeclinedVerdict } from "../port/call-gate.ts";
import type { CommandRunner } from "../port/command-runner.ts";
import type { OutputFiles } from "../port/output-files.ts";
import type { CallContext, CallEnd, PlanContext, PlannedCall, RejectedCall } from "../tool/tool.ts";
import { type JudgedCommand, judgeSecondRun, planCommandCall } from "./plan-command-call.ts";
import type { PatchPorts } from "../patch/plan-patch-call.ts";
import { type CommandInput, toRequest } from "./command-fields.ts";

/** Context for running a command and saving its output. */
interface CommandPorts {
  readonly runner: CommandRunner;
  /** Where output goes whole that is too long for the model. Absent: what is cut is gone. */
  readonly outputFiles?: OutputFiles;
  /** Secrets that `runner` already masks. Absent: none. */
  readonly secrets?: SecretMask;
}

/** Escape sequences and lines rewritten in place shrink when they are cleaned: more is captured than is shown. */
export const captureFactor = 4;

/** A command that has ended, and its output. */
interface RanCommand {
  readonly outcome: CommandOutcome;
  readonly record: OutputRecord;
  /** Why it was not run again; null: that was not asked, or it was. */
  readonly refusal: DeclinedVerdict | null;
}

/**
 * Runs a command to its end. If the sandbox stopped it and the gate then allows it, runs it once
 * more outside. Reports to the thread as it runs.
 */
async function runCommand(
  ports: CommandPorts,
  { command, timeoutMs }: { readonly command: JudgedCommand; readonly timeoutMs: number },
  context: CallContext,
): Promise<CallEnd> {
  const { outcome, record, refusal } = await runAsJudged(ports, { command, timeoutMs }, context);
  const ended = { outcome, timeoutMs, refusal };
  const options = { maxBytes: context.maxOutputBytes, locate: record.locate, secrets: ports.secrets };
  return {
    answer: await reportEnd(ended, options),
    item: { ...command.item, ...toEndedItem(ended, options) },
  };
}

async function runAsJudged(
  ports: CommandPorts,
  run: { readonly command: JudgedCommand; readonly timeoutMs: number },
  context: CallContext,
): Promise<RanCommand> {
  const ran = await runOnce(ports, run, context);
  const verdict = await judgeSecondRun(run.command, ran.outcome, context);
  if (verdict === null) return { ...ran, refusal: null };
  if (verdict.type === "declined") return { ...ran, refusal: verdict };
  const again = await runOnce(ports, { ...run, command: { ...run.command, verdict } }, context);
  return { ...again, refusal: null };
}

async function runOnce(
  ports: CommandPorts,
  { command, timeoutMs }: { readonly command: JudgedCommand; readonly timeoutMs: number },
  context: CallContext,
): Promise<Omit<RanCommand, "refusal">> {
  const record = createOutputRecord(ports.outputFiles ?? null, context.maxOutputBytes);
  const spec = toCommandSpec(command, { timeoutMs, maxOutputBytes: context.maxOutputBytes * captureFactor });
  try {
    const outcome = await forEach(ports.runner.run(spec, context.signal), async ({ text }) => {
      await record.write(text);
      await context.emit({ type: "item.delta", item_id: command.item.id, kind: "command_output", delta: text });
    });
    return { outcome, record };
  } finally {
    await record.close();
  }
}

/** The command that a verdict allows. */
export function toCommandSpec(
  { request, verdict, item }: Pick<JudgedCommand, "request" | "verdict" | "item">,
  limits: Pick<CommandSpec, "timeoutMs" | "maxOutputBytes">,
): CommandSpec {
  const { argv, cwd } = request;
  const { confinement, environment } = verdict;
  return { argv, cwd, ...limits, confinement, itemId: item.id, ...(environment && { environment }) };
}

/** Context of the tools `shell_command` and `shell`. */
export interface CommandToolOptions extends CommandPorts, PatchPorts {
  /** Absolute; read at each call. */
  readonly cwd: string;
  /** For calls without `timeout_ms`; in ms, default 120,000. */
  readonly defaultTimeoutMs?: number;
  /** Whether a command only looks: such calls run side by side. By default none does. */
  readonly isReadOnlyCommand?: (command: CommandLine) => boolean | Promise<boolean>;
}

interface WholeCommand {
  readonly line: CommandLine;
  readonly input: CommandInput & { readonly timeout_ms: number };
}

/** Plans a call that runs a command to its end. */
export function planWholeCommand(
  options: CommandToolOptions,
  { line, input }: WholeCommand,
  planContext: PlanContext,
): Promise<PlannedCall | RejectedCall> {
  const request = toRequest(options.cwd, line, input);
  const timeoutMs = input.timeout_ms;
  return planCommandCall(
    options,
    { request, run: (command, context) => runCommand(options, { command, timeoutMs }, context) },
    planContext,
  );
}
