import { findPatchInArguments, findPatchInShell, type ShellPatch } from "@unroll/apply-patch";
import type { CommandExecutionThreadItem, CommandOutcome } from "@unroll/protocol";
import { quoteArgv } from "@unroll/text";
import { type PatchPorts, planPatchCall } from "../patch/plan-patch-call.ts";
import type { CommandLine, CommandRequest, DeclinedVerdict, RunVerdict } from "../port/call-gate.ts";
import type { CallContext, CallEnd, Concurrency, PlanContext, PlannedCall, RejectedCall } from "../tool/tool.ts";
import { resolvePath } from "./resolve-path.ts";

/** A command that was judged, and is shown. */
export interface JudgedCommand {
  readonly request: CommandRequest;
  readonly verdict: RunVerdict;
  readonly item: CommandExecutionThreadItem;
}

interface CommandCall {
  readonly request: CommandRequest;
  /** Runs it, where the gate lets it. */
  readonly run: (command: JudgedCommand, context: CallContext) => Promise<CallEnd>;
}

/** Plans a call of a command tool: apply the patch that some models send that way, or run the command. */
export async function planCommandCall(
  ports: PatchPorts,
  { request, run }: CommandCall,
  context: PlanContext,
): Promise<PlannedCall | RejectedCall> {
  const found = findPatch(request);
  if (found) {
    return planPatchCall(ports, { text: found.patch, cwd: resolvePath(request.cwd, found.cwd ?? ".") }, context);
  }
  const item: CommandExecutionThreadItem = {
    id: context.itemId,
    type: "command_execution",
    call_id: context.callId,
    cwd: request.cwd,
    command: request.shellScript ?? quoteArgv(request.argv),
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  };
  return {
    type: "call.planned",
    gated: { type: "command", typedAt: null, request, denial: null },
    item,
    refusal: "The command was not run",
    run: (verdict, callContext) => run({ request, verdict, item }, callContext),
  };
}

/** Commands that only look run side by side; without `isReadOnly` none is known to. */
export async function concurrencyOf(
  line: CommandLine,
  isReadOnly: ((line: CommandLine) => boolean | Promise<boolean>) | undefined,
): Promise<Concurrency> {
  return (await isReadOnly?.(line)) === true ? "shared" : "exclusive";
}

/** A folder that begins with `~` is the shell's to find. */
function findPatch({ argv, shellScript }: CommandLine): ShellPatch | null {
  const found = shellScript === undefined ? findPatchInArguments(argv) : findPatchInShell(shellScript);
  return found?.cwd?.startsWith("~") ? null : found;
}

/** Whether a command that the sandbox stopped runs once more, outside. Null: it was not stopped, so nothing is asked. */
export async function judgeSecondRun(
  { request, verdict }: JudgedCommand,
  outcome: CommandOutcome | null,
  context: CallContext,
): Promise<RunVerdict | DeclinedVerdict | null> {
  const denial = outcome !== null && "denial" in outcome ? outcome.denial : undefined;
  if (denial === undefined || verdict.confinement === "none") return null;
  return context.judge({ type: "command", typedAt: null, request, denial });
}
