import { text } from "node:stream/consumers";
import { commitPlan, parsePatch, type PatchFailure, planPatch } from "@unroll/apply-patch";
import { nodePatchFiles } from "@unroll/apply-patch/node";
import { untilAborted } from "@unroll/flow";
import { ProgramError } from "@unroll/program";
import { showHidden } from "@unroll/text";
import type { CommandRun } from "../run-command.ts";

/** The flags of `unroll apply-patch`. */
export interface PatchFlags {
  readonly check?: boolean;
}

/** A null patch is read from stdin. No sandbox: it writes what you may write. Returns 0 applied (or would apply), 1 it does not fit. */
export async function applyPatch(patch: string | null, { check }: PatchFlags, run: CommandRun): Promise<number> {
  const { io, signal, print } = run;
  if (patch === null && io.stdin.kind === "terminal")
    throw new ProgramError("usage", "No patch given: unroll apply-patch < patch");
  const given = patch ?? (await untilAborted(text(io.stdin.stream), signal));
  signal.throwIfAborted();
  const parsed = parsePatch(given ?? "");
  if (parsed.type === "patch.failed") return fail(parsed, run);
  const everywhere = { isWritable: () => true, isReadable: () => true };
  const plan = await planPatch(parsed.patch, nodePatchFiles, { cwd: io.cwd, ...everywhere, signal });
  if (plan.type === "patch.failed") return fail(plan, run);
  if (check) {
    const marks = { add: "A", delete: "D", update: "M" };
    const lines = plan.changes.map(({ kind, path }) => `${marks[kind]} ${showHidden(path).replaceAll("\n", "\\u{a}")}`);
    await print(["The patch applies cleanly. It would change these files:", ...lines].join("\n"));
    return 0;
  }
  const applied = await commitPlan(plan, nodePatchFiles, signal);
  if (applied.type === "patch.failed") return fail(applied, run);
  await print(applied.message.trimEnd());
  return 0;
}

function fail({ message }: PatchFailure, { io }: CommandRun): number {
  io.stderr.stream.write(`unroll: ${showHidden(message).trimEnd()}\n`);
  return 1;
}
