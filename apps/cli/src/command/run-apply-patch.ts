import { text } from "node:stream/consumers";
import { commitPlan, parsePatch, type PatchFailure, planPatch } from "@unroll/apply-patch";
import { nodePatchFiles } from "@unroll/apply-patch/node";
import type { ProcessIo } from "@unroll/program";
import { showHidden } from "@unroll/text";

export interface ApplyPatchOptions {
  /** Absent: stdin. */
  readonly patch?: string;
  readonly check?: boolean;
}

/** Who starts it may write what they may write: no sandbox. Returns 0 applied (or would apply), 1 it does not fit, 2 no patch. */
export async function applyPatch(options: ApplyPatchOptions, io: ProcessIo): Promise<number> {
  if (options.patch === undefined && io.stdin.kind === "terminal") {
    io.stderr.stream.write("unroll: there is no patch: unroll apply-patch < patch\n");
    return 2;
  }
  const parsed = parsePatch(options.patch ?? (await text(io.stdin.stream)));
  if (parsed.type === "patch.failed") return fail(parsed, io);
  const { signal } = new AbortController();
  const everywhere = { isWritable: () => true, isReadable: () => true };
  const plan = await planPatch(parsed.patch, nodePatchFiles, { cwd: io.cwd, ...everywhere, signal });
  if (plan.type === "patch.failed") return fail(plan, io);
  if (options.check === true) {
    const marks = { add: "A", delete: "D", update: "M" };
    const lines = plan.changes.map(
      ({ kind, path }) => `${marks[kind]} ${showHidden(path).replaceAll("\n", "\\u{a}")}\n`,
    );
    io.stdout.stream.write(`The patch applies. It would change these files:\n${lines.join("")}`);
    return 0;
  }
  const applied = await commitPlan(plan, nodePatchFiles, signal);
  if (applied.type === "patch.failed") return fail(applied, io);
  io.stdout.stream.write(`${showHidden(applied.message).trimEnd()}\n`);
  return 0;
}

function fail({ message }: PatchFailure, io: ProcessIo): number {
  io.stderr.stream.write(`unroll: ${showHidden(message).trimEnd()}\n`);
  return 1;
}
