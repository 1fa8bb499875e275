import { type DumpFields, readField, readLines } from "./read-fields.ts";
import { readLimits } from "./read-limits.ts";
import type { ShellState } from "./shell-state.ts";

/** The part of the dump that is the same for every shell. */
type CommonState = Omit<
  ShellState,
  "variables" | "attributes" | "functionAttributes" | "switches" | "options" | "unkept"
>;

/** `limitLine` as of `readLimits`. Null: the dump is incomplete. */
export function readCommonState(fields: DumpFields, limitLine: RegExp): CommonState | null {
  const status = readField(fields, "status");
  const cwd = fields.get("cwd")?.[0];
  if (status === null || cwd === undefined) return null;
  return {
    cwd,
    functions: readField(fields, "functions") ?? "",
    aliases: readField(fields, "aliases") ?? "",
    traps: readField(fields, "traps") ?? "",
    mask: readField(fields, "mask") ?? "",
    softLimits: readLimits(fields, "soft", limitLine),
    hardLimits: readLimits(fields, "hard", limitLine),
    parameters: fields.get("argument") ?? [],
    status: Number(status),
  };
}

/** How a shell tells what differs between them. */
interface UnkeptSigns {
  /** The command that switches builtins off. */
  readonly disabledBy: string;
  /** Its output for a folder stack that nothing was pushed on. */
  readonly emptyStack: string;
  /** Descriptors that the shell itself has open. */
  readonly keptDescriptors: ReadonlySet<string>;
}

/** Lists the things that a state cannot hold, as ends of a sentence after "the profile". */
export function listUnkept(
  fields: DumpFields,
  { disabledBy, emptyStack, keptDescriptors }: UnkeptSigns,
): readonly string[] {
  const has = (tag: string): boolean => readLines(fields, tag).length > 0;
  const descriptors = (fields.get("fd") ?? []).filter((fd) => !keptDescriptors.has(fd));
  return [
    ...(has("jobs") ? ["leaves a program running"] : []),
    ...(fields.get("alive") ?? []).map((name) => `leaves a program running, whose number is in ${name}`),
    ...(has("disabled") ? [`switches builtins off (\`${disabledBy}\`)`] : []),
    ...(readField(fields, "stack") === emptyStack ? [] : ["leaves folders on the stack of `pushd`"]),
    ...descriptors.map((fd) => `leaves the descriptor ${fd} open`),
    ...(fields.has("moved") ? ["redirects the shell's input or output"] : []),
  ];
}
