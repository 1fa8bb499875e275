import { addThreadFlags, readPositive, takeText, type ThreadFlags } from "@unroll/program";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Which queue a command works on. */
export interface QueueFlags {
  readonly queue?: string;
  readonly name?: string;
  readonly host?: string;
}

/** The flags of `unroll worker`. */
export interface WorkerFlags extends QueueFlags, ThreadFlags {
  readonly jobs?: number;
  readonly taskTimeout?: string;
  readonly rate?: { readonly max: number; readonly perMs: number };
  readonly worktree?: boolean;
  readonly approvals?: "refuse" | "wait";
  readonly quiet?: boolean;
  readonly ignoreRules?: boolean;
  readonly trust?: boolean;
}

/** Gives a command the flags of `unroll worker`. */
export function defineWorkerCommand(command: Command, run: (flags: WorkerFlags) => Promise<void>): Command {
  return addQueueFlags(addThreadFlags(command))
    .description("take tasks from a queue and run them, until SIGTERM or ^C (docs/scale.md)")
    .option("-j, --jobs <n>", "how many tasks run at once (default 8)", readPositive)
    .option("--task-timeout <time>", "end each task after 90, 90s, 10m or 2h", takeText)
    .addOption(new Option("--rate <n/time>", "tasks that all workers start in a time: 5/1s").argParser(readRate))
    .addOption(
      new Option("--approvals <how>", "questions about calls are denied, or wait for unroll queue answer").choices([
        "refuse",
        "wait",
      ]),
    )
    .option("--worktree", "each task works in a git worktree of its own")
    .option("--trust", "trust this project for this run: read its config files")
    .option("--ignore-rules", "ignore all rules in CODEX_HOME/rules, including those that forbid commands")
    .option("-q, --quiet", "no progress: only errors on stderr")
    .allowExcessArguments(false)
    .action((flags: WorkerFlags) => run(flags));
}

/** The flags that name a queue. */
export function addQueueFlags(command: Command): Command {
  return command
    .option(
      "--queue <url>",
      "redis://, rediss://, unix:// or postgres:// URL, or @FILE that contains one (default: UNROLL_QUEUE)",
      takeText,
    )
    .option("--name <name>", "name of the queue (default unroll)", takeText)
    .option("--host <name>", "the host whose tasks these are (default: this host's name)", takeText);
}

/** `5/1s`: 5 in a second. */
function readRate(value: string): NonNullable<WorkerFlags["rate"]> {
  const [, max = "", time = "", unit = "s"] = /^(\d+)\/(\d+)(s|m|h)?$/.exec(value) ?? [];
  const perMs = Number(time) * { s: 1000, m: 60_000, h: 3_600_000 }[unit === "m" || unit === "h" ? unit : "s"];
  if (Number(max) < 1 || perMs < 1) throw new InvalidArgumentError("Write a number of tasks and a time: 5/1s.");
  return { max: Number(max), perMs };
}
