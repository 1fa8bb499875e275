import type { Command } from "commander";

/** The flags of `addNaming`. */
export interface NamingFlags {
  readonly last?: boolean;
  readonly all?: boolean;
  readonly allowCacheBreak?: boolean;
}

/** A thread as a command line names it. */
export interface NamedThread {
  /** Its id or the beginning of it, or `last`. */
  readonly name: string;
  /** `last` is the latest one of all folders. */
  readonly all: boolean;
}

/** The help of an argument that names a thread. */
export const threadHelp = "thread id, its prefix or name (default: this folder's latest thread)";

/** Adds the arguments of a command that continues a thread. */
export function addNaming(command: Command): Command {
  return command
    .argument("[id]", "thread id, its prefix or name (default: choose from the list)")
    .option("--last", "this folder's latest thread")
    .option("--all", "list the threads of all folders; with --last: the latest of any folder")
    .option("--allow-cache-break", "if model, provider or tools changed, resend everything uncached without asking");
}

/** The thread that the argument and the flags name, or the latest one. */
export function readName(
  program: Command,
  id: string | undefined,
  { last, all = false }: { readonly last?: boolean | undefined; readonly all?: boolean | undefined },
): NamedThread {
  const isNamed = id !== undefined && id !== "last";
  if (last && isNamed) program.error("error: give a thread id or --last, not both");
  if (all && isNamed) program.error("error: --all finds the latest thread: leave out the id, or --all");
  return { name: id ?? "last", all };
}
