import {
  addBudgetFlags,
  addImageFlag,
  addThreadFlags,
  collectValues,
  readCount,
  readTurns,
  takeText,
  type ThreadFlags,
} from "@unroll/program";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ExecOptions } from "./exec-options.ts";
import { addReviewFlags, readReviewTarget, type ReviewFlags } from "./review-flags.ts";

type RunExec = (options: ExecOptions) => Promise<void>;

interface ExecFlags extends ExecOptions {
  readonly yolo?: boolean;
}

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
  addImageFlag(addBudgetFlags(addThreadFlags(command)), "list")
    .description("run one task without a person at hand, and end: for scripts, CI and programs")
    .argument("[prompt]", "what to do; - or none reads it from stdin, with both stdin follows as a <stdin> block")
    .option("--json", "one event a line on stdout (docs/events.md)")
    .addOption(new Option("--experimental-json", "--json as the Codex SDK reads it").hideHelp())
    .option("--print-schema", "print the JSON Schema of the events of --json, and end")
    .option("--add-dir <dir>", "commands may write here too (repeatable)", collectValues)
    .option("-o, --output-last-message <file>", "write the final message to this file", takeText)
    .option("--output-schema <file>", "the answer must be JSON of the JSON Schema in this file", takeText)
    .option("--schema-repairs <n>", "ask so often again for an answer that misses the schema (2)", readCount)
    .addOption(
      new Option(
        "--approvals <how>",
        "answer what would be asked: by a no, by the end of the run, or by lines on stdin",
      ).choices(["refuse", "stop", "stdio"]),
    )
    .option("--events-fd <n>", "the events of --json on this descriptor, besides what is shown", readDescriptor)
    .option("-q, --quiet", "no progress: on stderr only what went wrong")
    .addOption(new Option("--thread-source <name>", "of other clients: no effect here").hideHelp())
    .addOption(new Option("--cyber-access-program <name>", "of other clients: no effect here").hideHelp())
    .addOption(new Option("--dangerously-bypass-hook-trust", "of other clients: no effect here").hideHelp())
    .option("--enable <feature>", "same as -c features.<feature>=true (repeatable)", collectValues)
    .option("--disable <feature>", "same as -c features.<feature>=false (repeatable)", collectValues)
    .option("--ignore-user-config", "do not read config.toml of CODEX_HOME")
    .option("--trust", "read the config of this project's own files, for this run")
    .option("--ignore-rules", "do not read the rules of CODEX_HOME/rules: those that forbid, too")
    .option("--skip-git-repo-check", "do not warn outside of a git repository")
    .option(
      "--allow-cache-break",
      "resume also where model, provider or tools are others now: all is sent at full price",
    )
    .option("--worktree", "work in a new git worktree, on a branch of its own; removed where nothing was changed")
    .option("--ephemeral", "do not keep the thread (docs/threads.md)")
    .addOption(new Option("--full-auto", "same as --sandbox workspace-write").conflicts("sandbox"))
    .addOption(
      new Option("--yolo", "same as --dangerously-bypass-approvals-and-sandbox").conflicts(["sandbox", "fullAuto"]),
    )
    .addOption(
      new Option(
        "--dangerously-bypass-approvals-and-sandbox",
        "same as --sandbox danger-full-access, and nothing asks",
      ).conflicts(["sandbox", "fullAuto"]),
    )
    .allowExcessArguments(false)
    .action(async (prompt: string | undefined, flags: ExecFlags) => {
      await run({ ...toOptions(flags), ...(prompt === undefined ? {} : { prompt }) });
    });
  addResumeCommand(command, run);
  addForkCommand(command, run);
  addReviewCommand(command, run);
  return command;
}

/** Gives a command the arguments and flags of `unroll review`; `run` gets them as those of an `exec` that reviews. */
export function defineReviewCommand(command: Command, run: RunExec): Command {
  return addReviewFlags(addThreadFlags(command))
    .description("have changes reviewed, read-only: findings by priority (docs/exec.md)")
    .option("--json", "one event a line on stdout (docs/events.md)")
    .option("-o, --output-last-message <file>", "write the final message to this file", takeText)
    .action(async (prompt: string | undefined, flags: ReviewFlags & ThreadFlags) => {
      await run({ ...toReview(command, prompt, flags), ...withoutReviewFlags(flags), ephemeral: true });
    });
}

function addReviewCommand(exec: Command, run: RunExec): void {
  addReviewFlags(exec.command("review"))
    .description("have changes reviewed, read-only; takes the flags of exec, too")
    .action(async (prompt: string | undefined, flags: ReviewFlags) => {
      await run({ ...toReview(exec, prompt, flags), ...toOptions(exec.opts<ExecFlags>()) });
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

/** The flags of `exec` stand before it, as clients of the Codex CLI write them, or behind, as people do. */
function addResumeCommand(exec: Command, run: RunExec): void {
  addNamingArguments(exec.command("resume"))
    .description("go on with a thread; takes the flags of exec, too")
    .action(async (first: string | undefined, second: string | undefined, flags: ResumeFlags) => {
      const [resume, options] = readNamed(exec, [first, second], flags);
      await run({ ...options, resume });
    });
}

function addForkCommand(exec: Command, run: RunExec): void {
  addNamingArguments(exec.command("fork"))
    .description("begin a new thread as another one does, which stays as it is; flags as of resume")
    .addOption(new Option("--at <turns>", "with its first turns only").argParser(readTurns))
    .action(async (first: string | undefined, second: string | undefined, { at, ...flags }: ForkFlags) => {
      const [id, options] = readNamed(exec, [first, second], flags);
      await run({ ...options, fork: { id, ...(at === undefined ? {} : { at }) } });
    });
}

function addNamingArguments(command: Command): Command {
  return addImageFlag(command, "one")
    .argument("[id]", "the thread, or the beginning of its id; left out with --last")
    .argument("[prompt]", "as of exec")
    .option("--last", "the thread that was used last of those begun in the working folder")
    .option("--all", "with --last: of those of all folders")
    .allowExcessArguments(false);
}

/** The thread, and the options of `exec` with what stands behind. */
function readNamed(
  exec: Command,
  [first, second]: readonly [string | undefined, string | undefined],
  { last, all, image = [] }: ResumeFlags,
): readonly [string, ExecOptions] {
  const [id, prompt] = last ? ["last", first] : [first, second];
  if (id === undefined) exec.error("error: name a thread, or --last: unroll threads list shows their ids");
  if (last && second !== undefined) exec.error("error: with --last no thread is named: quote the prompt");
  if (all && id !== "last") exec.error("error: --all goes with --last");
  const flags = exec.opts<ExecFlags>();
  const images = [...(flags.image ?? []), ...image];
  const more = { ...(all ? { all } : {}), ...(prompt === undefined ? {} : { prompt }) };
  return [id, { ...toOptions(flags), image: images, ...more }];
}

function toOptions({ yolo, ...options }: ExecFlags): ExecOptions {
  return {
    ...options,
    ...(options.experimentalJson ? { json: true } : {}),
    ...(yolo ? { dangerouslyBypassApprovalsAndSandbox: true } : {}),
  };
}

/** Of an option: a file descriptor besides the three that every process has. */
function readDescriptor(value: string): number {
  const descriptor = readCount(value);
  if (descriptor > 2) return descriptor;
  throw new InvalidArgumentError("It must be 3 or more: 0 to 2 are stdin, stdout and stderr.");
}
