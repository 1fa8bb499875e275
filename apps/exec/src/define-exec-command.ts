import {
  addBudgetFlags,
  addHostFlag,
  addImageFlag,
  addThreadFlags,
  collectValues,
  readCount,
  readPositive,
  takeText,
  type ThreadFlags,
} from "@unroll/program";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ExecOptions } from "./exec-options.ts";
import { addReviewFlags, readReviewTarget, type ReviewFlags } from "./review-flags.ts";

type RunExec = (options: ExecOptions) => Promise<void>;

interface ResumeFlags {
  readonly last?: boolean;
  readonly all?: boolean;
  readonly image?: readonly string[];
}

interface ForkFlags extends ResumeFlags {
  readonly at?: number;
}

/** Gives a command the arguments and flags of `unroll exec`; `run` gets them read and checked. */
export function defineExecCommand(command: Command, run: RunExec): Command {
  addImageFlag(addHostFlag(addBudgetFlags(addThreadFlags(command))), "list")
    .description("run one task without asking you anything, then exit: for scripts, CI and programs")
    .argument(
      "[prompt]",
      "the task; - or no prompt reads it from stdin; with a prompt, stdin is added as a <stdin> block",
    )
    .option("--json", "print events on stdout, one JSON object a line (docs/events.md)")
    .addOption(
      new Option("--experimental-json", "--json in the form that the Codex SDK reads")
        .implies({ json: true })
        .hideHelp(),
    )
    .option("--print-schema", "print the JSON Schema of the --json events, then exit")
    .option("--add-dir <dir>", "commands may write here too (repeatable)", collectValues)
    .option("-o, --output-last-message <file>", "write the final message to this file", takeText)
    .option("--output-schema <file>", "the answer must match the JSON Schema in this file", takeText)
    .option("--schema-repairs <n>", "retries when the answer does not match the schema (default 2)", readCount)
    .addOption(
      new Option(
        "--approvals <how>",
        "how to answer approval requests: deny, stop the run, or read answers from stdin",
      ).choices(["refuse", "stop", "stdio"]),
    )
    .option(
      "--events-fd <n>",
      "write the --json events to this file descriptor, besides the usual output",
      readDescriptor,
    )
    .option("-q, --quiet", "no progress: only errors on stderr")
    .addOption(new Option("--thread-source <name>", "accepted for other clients; no effect").hideHelp())
    .addOption(new Option("--cyber-access-program <name>", "accepted for other clients; no effect").hideHelp())
    .addOption(new Option("--dangerously-bypass-hook-trust", "accepted for other clients; no effect").hideHelp())
    .option("--enable <feature>", "same as -c features.<feature>=true (repeatable)", collectValues)
    .option("--disable <feature>", "same as -c features.<feature>=false (repeatable)", collectValues)
    .option("--ignore-user-config", "ignore config.toml in CODEX_HOME")
    .option("--trust", "trust this project for this run: read its config files")
    .option("--ignore-rules", "ignore all rules in CODEX_HOME/rules, including those that forbid commands")
    .option("--skip-git-repo-check", "do not warn when this is not a git repository")
    .option("--allow-cache-break", "resume even if model, provider or tools changed: everything is resent uncached")
    .option("--worktree", "work in a new git worktree on a new branch; both are removed if nothing changed")
    .option("--stop-agents", "when the turn ends, stop sub-agents in the background instead of waiting for them")
    .option("--batch <file>", "run many tasks, one JSON object a line, and print results as JSON lines", takeText)
    .option("-j, --jobs <n>", "with --batch: how many tasks run at once (default 8)", readPositive)
    .option("--out <file>", "with --batch: write the results to this file", takeText)
    .option("--task-timeout <time>", "with --batch: end each task after 90, 90s, 10m or 2h", takeText)
    .option("--fail-fast", "with --batch: end at the first task that fails")
    .option("--only-failed", "with --batch: run only the tasks that failed before")
    .option("--ephemeral", "do not save the thread (docs/threads.md)")
    .option("--full-auto", "same as --sandbox workspace-write; with --sandbox, the narrower of the two")
    .addOption(
      new Option(
        "--approve-for-me",
        "same as --sandbox workspace-write -a on-request; nothing is approved automatically",
      ).conflicts(["sandbox", "askForApproval"]),
    )
    .addOption(
      new Option("--yolo", "same as --dangerously-bypass-approvals-and-sandbox")
        .implies({ dangerouslyBypassApprovalsAndSandbox: true })
        .conflicts(["sandbox", "fullAuto", "approveForMe"]),
    )
    .addOption(
      new Option(
        "--dangerously-bypass-approvals-and-sandbox",
        "same as --sandbox danger-full-access, without approvals",
      ).conflicts(["sandbox", "fullAuto", "approveForMe"]),
    )
    .allowExcessArguments(false)
    .action(async (prompt: string | undefined, flags: ExecOptions) => {
      await run({ ...flags, ...(prompt === undefined ? {} : { prompt }) });
    });
  addResumeCommand(command, run);
  addForkCommand(command, run);
  addReviewCommand(command, run);
  return command;
}

/** Gives a command the arguments and flags of `unroll review`; `run` gets them as those of an `exec` that reviews. */
export function defineReviewCommand(command: Command, run: RunExec): Command {
  return addReviewFlags(addThreadFlags(command))
    .description("review changes, read-only, and print findings by priority (docs/exec.md)")
    .option("--json", "print events on stdout, one JSON object a line (docs/events.md)")
    .option("-o, --output-last-message <file>", "write the final message to this file", takeText)
    .action(async (prompt: string | undefined, flags: ReviewFlags & ThreadFlags) => {
      await run({ ...toReview(command, prompt, flags), ...withoutReviewFlags(flags), ephemeral: true });
    });
}

function addReviewCommand(exec: Command, run: RunExec): void {
  addReviewFlags(exec.command("review"))
    .description("review changes, read-only; also takes the flags of exec")
    .action(async (prompt: string | undefined, flags: ReviewFlags) => {
      await run({ ...toReview(exec, prompt, flags), ...exec.opts<ExecOptions>() });
    });
}

/** Read-only, unless another sandbox is named. */
function toReview(command: Command, prompt: string | undefined, flags: ReviewFlags): ExecOptions {
  const target = readReviewTarget(command, prompt, flags);
  const focus = target.type === "custom" || prompt === undefined ? {} : { prompt };
  return { sandbox: "read-only", review: target, ...focus, ...(flags.title !== undefined && { title: flags.title }) };
}

function withoutReviewFlags({
  uncommitted: _all,
  base: _base,
  commit: _commit,
  ...others
}: ReviewFlags & ThreadFlags): ExecOptions {
  return others;
}

/** The flags of `exec` come before it, as clients of the Codex CLI write them, or after it, as people do. */
function addResumeCommand(exec: Command, run: RunExec): void {
  addNamingArguments(exec.command("resume"))
    .description("resume a thread; also takes the flags of exec")
    .action(async (first: string | undefined, second: string | undefined, flags: ResumeFlags) => {
      const [resume, options] = readNamed(exec, [first, second], flags);
      await run({ ...options, resume });
    });
}

function addForkCommand(exec: Command, run: RunExec): void {
  addNamingArguments(exec.command("fork"))
    .description("start a new thread as a copy of another; takes the flags of resume")
    .addOption(new Option("--at <turns>", "copy only this many turns").argParser(readPositive))
    .action(async (first: string | undefined, second: string | undefined, { at, ...flags }: ForkFlags) => {
      const [id, options] = readNamed(exec, [first, second], flags);
      await run({ ...options, fork: { id, ...(at === undefined ? {} : { at }) } });
    });
}

function addNamingArguments(command: Command): Command {
  return addImageFlag(command, "one")
    .argument("[id]", "thread id, its prefix or name; leave it out with --last")
    .argument("[prompt]", "the task, as for exec")
    .option("--last", "this folder's latest thread")
    .option("--all", "with --last: the latest thread of any folder")
    .allowExcessArguments(false);
}

/** The thread, and the options of `exec` with the arguments after it. */
function readNamed(
  exec: Command,
  [first, second]: readonly [string | undefined, string | undefined],
  { last, all, image = [] }: ResumeFlags,
): readonly [string, ExecOptions] {
  const [id, prompt] = last ? ["last", first] : [first, second];
  if (id === undefined) exec.error("error: give a thread id (see unroll threads list), or use --last");
  if (last && second !== undefined) exec.error("error: --last takes no thread id: put the prompt in quotes");
  if (all && id !== "last") exec.error("error: --all only works with --last");
  const flags = exec.opts<ExecOptions>();
  const images = [...(flags.image ?? []), ...image];
  const more = { ...(all ? { all } : {}), ...(prompt === undefined ? {} : { prompt }) };
  return [id, { ...flags, image: images, ...more }];
}

/** The value of an option: a file descriptor besides the three that every process has. */
function readDescriptor(value: string): number {
  const descriptor = readCount(value);
  if (descriptor > 2) return descriptor;
  throw new InvalidArgumentError("It must be 3 or more: 0 to 2 are stdin, stdout and stderr.");
}
