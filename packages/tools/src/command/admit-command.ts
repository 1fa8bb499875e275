import type { CommandExecutionThreadItem, CommandSpec } from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";
import { capText } from "../output/cap-text.ts";
import type { CommandGate, CommandRequest } from "../port/command-gate.ts";
import type { ToolContext } from "../tool/tool.ts";

export type Admission =
  | {
      readonly type: "admitted";
      readonly confinement: CommandSpec["confinement"];
      /** As it was told to the thread; whoever runs the command completes it. */
      readonly item: CommandExecutionThreadItem;
    }
  /** `output` tells the model why. */
  | { readonly type: "declined"; readonly output: string };

/** Has a command judged, and tells the thread that it starts, or that it was declined. */
export async function admitCommand(
  gate: CommandGate,
  request: CommandRequest,
  context: ToolContext,
): Promise<Admission> {
  const verdict = await gate.judge(request, context.signal);
  const item: CommandExecutionThreadItem = {
    id: context.nextItemId(),
    type: "command_execution",
    command: request.shellScript ?? quoteArgv(request.argv),
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  };
  if (verdict.type === "declined") {
    const output = capText(`The command was not run: ${verdict.message}`, context.maxOutputBytes);
    await context.emit({ type: "item.completed", item: { ...item, aggregated_output: output, status: "declined" } });
    return { type: "declined", output };
  }
  await context.emit({ type: "item.started", item });
  return { type: "admitted", confinement: verdict.confinement, item };
}
