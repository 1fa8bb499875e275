import type { CommandExecutionThreadItem, CommandOutcome, CommandOutput, CommandSpec } from "@unroll/protocol";
import { capText } from "../output/cap-text.ts";
import { reportCommand } from "../output/report-command.ts";
import type { CommandGate, CommandRequest } from "../port/command-gate.ts";
import type { CommandRunner } from "../port/command-runner.ts";
import type { ToolContext, ToolResult } from "../tool/tool.ts";
import { quoteArgv } from "./quote-argv.ts";

export interface CommandPorts {
  readonly runner: CommandRunner;
  readonly commandGate: CommandGate;
}

/** Escape sequences and lines rewritten in place shrink when they are cleaned: more is captured than is shown. */
const CAPTURE_FACTOR = 4;

/** Judges a command and runs it if it may; tells the thread as it goes on, and the model how it ended. */
export async function runCommand(
  ports: CommandPorts,
  call: { readonly request: CommandRequest; readonly timeoutMs: number },
  context: ToolContext,
): Promise<ToolResult> {
  const { request, timeoutMs } = call;
  const { argv, cwd } = request;
  const verdict = await ports.commandGate.judge(request, context.signal);
  const item: CommandExecutionThreadItem = {
    id: context.nextItemId(),
    type: "command_execution",
    command: request.shellScript ?? quoteArgv(argv),
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  };
  if (verdict.type === "declined") {
    const output = capText(`The command was not run: ${verdict.message}`, context.maxOutputBytes);
    await context.emit({ type: "item.completed", item: { ...item, aggregated_output: output, status: "declined" } });
    return { output };
  }

  await context.emit({ type: "item.started", item });
  let ended: CommandExecutionThreadItem = { ...item, status: "failed" };
  try {
    const maxBytes = context.maxOutputBytes;
    const spec = { argv, cwd, timeoutMs, maxOutputBytes: maxBytes * CAPTURE_FACTOR, confinement: verdict.confinement };
    const outcome = await runConfined(ports, { request, spec, itemId: item.id }, context);
    const report = reportCommand(outcome, { timeoutMs, maxBytes });
    ended = { ...item, ...report.item };
    return { output: report.text };
  } finally {
    await context.emit({ type: "item.completed", item: ended });
  }
}

/** Runs the command, and once more outside the sandbox where the sandbox stopped it and the gate then lets it out. */
async function runConfined(
  { runner, commandGate }: CommandPorts,
  { request, spec, itemId }: { readonly request: CommandRequest; readonly spec: CommandSpec; readonly itemId: string },
  context: ToolContext,
): Promise<CommandOutcome> {
  const run = (each: CommandSpec): Promise<CommandOutcome> => follow(runner.run(each, context.signal), itemId, context);
  const outcome = await run(spec);
  if (!("denial" in outcome) || spec.confinement === "none") return outcome;
  const verdict = await commandGate.reconsider?.(request, outcome.denial, context.signal);
  return verdict?.type === "run" ? run({ ...spec, confinement: verdict.confinement }) : outcome;
}

async function follow(
  running: AsyncGenerator<CommandOutput, CommandOutcome>,
  itemId: string,
  context: ToolContext,
): Promise<CommandOutcome> {
  for (;;) {
    const step = await running.next();
    if (step.done) return step.value;
    await context.emit({ type: "item.delta", item_id: itemId, kind: "command_output", delta: step.value.text });
  }
}
