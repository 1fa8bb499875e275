import { addQueueFlags, type QueueFlags } from "@unroll/exec";
import { addStoreFlag, ProgramError, readPositive, takeText } from "@unroll/program";
import { Argument, type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { AddFlags, AnswerArguments } from "./run-queue.ts";

type AnswerWords = [
  task: string | undefined,
  question: string | undefined,
  decision: AnswerArguments["decision"] | undefined,
  reason: string | undefined,
  flags: QueueFlags,
];

/** `unroll queue`: tasks for workers on many machines. */
export function addQueueCommand(program: Command, { launch }: CommandContext): void {
  const queue = program
    .command("queue")
    .description("add tasks to a queue that workers on many machines take (docs/scale.md)");
  const define = (usage: string, text: string): Command => addQueueFlags(queue.command(usage)).description(text);
  const load = (): Promise<typeof import("./run-queue.ts")> => import("./run-queue.ts");

  define("add <file>", "add tasks, one JSON object a line, as for exec --batch")
    .option("--shared", "workers of all hosts take them: their folders are the same everywhere")
    .addOption(new Option("--priority <n>", "1 is taken first (default: behind all numbers)").argParser(readPositive))
    .option("--delay <time>", "the tasks wait for 90, 90s, 10m or 2h", takeText)
    .addOption(new Option("--attempts <n>", "how often a task that fails runs (default 1)").argParser(readPositive))
    .option("--keep <time>", "how long an ended task stays (default 168h)", takeText)
    .action((file: string, flags: AddFlags) => launch(async (run) => (await load()).addTasks(file, flags, run)));
  define("status", "count the tasks in each state").action((flags: QueueFlags) =>
    launch(async (run) => (await load()).printStatus(flags, run)),
  );
  define("results", "print the results of ended tasks, as JSON lines").action((flags: QueueFlags) =>
    launch(async (run) => (await load()).printResults(flags, run)),
  );
  define("retry <id...>", "run failed tasks again, in new threads").action(
    (ids: readonly string[], flags: QueueFlags) => launch(async (run) => (await load()).retryTasks(ids, flags, run)),
  );
  define("cancel <id...>", "remove waiting tasks, and stop running ones").action(
    (ids: readonly string[], flags: QueueFlags) => launch(async (run) => (await load()).cancelTasks(ids, flags, run)),
  );
  define("answer [task]", "print the questions that tasks wait for, as JSON lines, or answer one")
    .argument("[question]", "id of the question")
    .addArgument(new Argument("[decision]", "your answer").choices(["approve", "approve-thread", "deny"]))
    .argument("[reason]", "with deny: what the model should do instead")
    .action((...[task, question, decision, reason, flags]: AnswerWords) =>
      launch(async (run) => {
        const { answerQuestion, printQuestions } = await load();
        if (task === undefined) return printQuestions(flags, run);
        if (question === undefined || decision === undefined)
          throw new ProgramError(
            "usage",
            "Name the question and your decision: unroll queue answer TASK QUESTION approve.",
          );
        return answerQuestion({ task, question, decision, ...(reason !== undefined && { reason }) }, flags, run);
      }),
    );
  define("pause", "let workers take no more tasks; running ones end").action((flags: QueueFlags) =>
    launch(async (run) => (await load()).pauseQueue(true, flags, run)),
  );
  define("resume", "let workers take tasks again").action((flags: QueueFlags) =>
    launch(async (run) => (await load()).pauseQueue(false, flags, run)),
  );
  define("drain", "remove all tasks that wait").action((flags: QueueFlags) =>
    launch(async (run) => (await load()).drainQueue(flags, run)),
  );
  addStoreFlag(define("follow <id>", "print the events of a task's thread until its turn ends, as JSON lines")).action(
    (id: string, flags: QueueFlags & { readonly store?: string }) =>
      launch(async (run) => (await load()).followTask(id, flags, run)),
  );
}
