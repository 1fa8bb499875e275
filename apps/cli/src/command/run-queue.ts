import { parseTasks } from "@unroll/batch";
import { resolveCodexHome } from "@unroll/config";
import { openNamedQueue, type QueueFlags } from "@unroll/exec";
import { openProgramStore, ProgramError, readNamedFile, readSeconds } from "@unroll/program";
import { type JournalEntry, replayThread } from "@unroll/protocol";
import type { TaskAnswer, TaskQueue } from "@unroll/queue";
import { countNouns, groupDigits } from "@unroll/text";
import type { CommandRun } from "../run-command.ts";
import { trustAuthorities } from "./trust-authorities.ts";

/** The flags of `unroll queue add`. */
export interface AddFlags extends QueueFlags {
  readonly shared?: boolean;
  readonly priority?: number;
  readonly delay?: string;
  readonly attempts?: number;
  readonly keep?: string;
}

async function openQueue(flags: QueueFlags, run: CommandRun): ReturnType<typeof openNamedQueue> {
  const named = await openNamedQueue(flags, run.io);
  await trustAuthorities(run);
  return named;
}

type QueueWork = (queue: TaskQueue, name: string) => Promise<number>;

/** Tasks of one host are in a queue of their own: most commands look at both. */
async function withQueues(flags: QueueFlags, run: CommandRun, work: QueueWork): Promise<number> {
  const { library, place, host } = await openQueue(flags, run);
  await using shared = await library.openTaskQueue(place);
  await using own = await library.openTaskQueue({ ...place, host });
  return Math.max(await work(shared, "all hosts"), await work(own, `host ${host}`));
}

/** Each function returns the exit code. */
export async function addTasks(file: string, flags: AddFlags, run: CommandRun): Promise<number> {
  const { io, printFolded } = run;
  const tasks = parseTasks(await readNamedFile({ flag: "add", file }, io.cwd), file);
  const { library, place, host } = await openQueue(flags, run);
  await using queue = await library.openTaskQueue({ ...place, ...(!flags.shared && { host }) });
  const { priority, delay, attempts, keep } = flags;
  const { added, known } = await queue.add(
    tasks.map((task) => (task.git === undefined ? { ...task, cwd: task.cwd ?? io.cwd } : task)),
    {
      newId: () => io.newId(),
      ...(priority !== undefined && { priority }),
      ...(attempts !== undefined && { attempts }),
      ...(delay !== undefined && { delayMs: readSeconds(delay, "--delay") * 1000 }),
      ...(keep !== undefined && { keepSeconds: readSeconds(keep, "--keep") }),
    },
  );
  const there = known.length === 0 ? "" : `; ${countNouns(known.length, "task")} were there already`;
  await printFolded(
    `Added ${countNouns(added.length, "task")} for ${flags.shared ? "all hosts" : `host ${host}`}${there}.`,
  );
  return 0;
}

export function printStatus(flags: QueueFlags, run: CommandRun): Promise<number> {
  return withQueues(flags, run, async (queue, name) => {
    const { paused, ...counts } = await queue.status();
    const states = Object.entries(counts).map(([state, count]) => `${groupDigits(count)} ${state}`);
    await run.print(`${name}: ${states.join(", ")}${paused ? " (paused)" : ""}`);
    return 0;
  });
}

export function printResults(flags: QueueFlags, run: CommandRun): Promise<number> {
  return withQueues(flags, run, async (queue) => {
    for await (const { result } of queue.list(["completed", "failed"])) await run.printJson(result);
    return 0;
  });
}

export function retryTasks(ids: readonly string[], flags: QueueFlags, run: CommandRun): Promise<number> {
  return changeTasks(ids, { flags, run }, async (queue, id) =>
    (await queue.find(id)) === null ? null : (await queue.retry(id)) ? "waits again" : "has not failed",
  );
}

const cancelled = { removed: "is removed", stopping: "is stopped by its worker", ended: "has ended already" };

export function cancelTasks(ids: readonly string[], flags: QueueFlags, run: CommandRun): Promise<number> {
  return changeTasks(ids, { flags, run }, async (queue, id) => {
    const outcome = await queue.cancel(id);
    return outcome === "missing" ? null : cancelled[outcome];
  });
}

/** `change` returns the end of a sentence about the task; null: this queue has none of that id. */
async function changeTasks(
  ids: readonly string[],
  { flags, run }: { readonly flags: QueueFlags; readonly run: CommandRun },
  change: (queue: TaskQueue, id: string) => Promise<string | null>,
): Promise<number> {
  const left = new Set(ids);
  await withQueues(flags, run, async (queue) => {
    for (const id of left) {
      const outcome = await change(queue, id);
      if (outcome === null) continue;
      left.delete(id);
      await run.printFolded(`${id} ${outcome}.`);
    }
    return 0;
  });
  for (const id of left) await run.printFolded(`The queue has no task ${id}.`);
  return left.size === 0 ? 0 : 1;
}

/** The arguments of `unroll queue answer`. */
export interface AnswerArguments {
  readonly task: string;
  readonly question: string;
  readonly decision: "approve" | "approve-thread" | "deny";
  /** For the model. */
  readonly reason?: string;
}

/** Each question whole, as a JSON line. */
export function printQuestions(flags: QueueFlags, run: CommandRun): Promise<number> {
  return withQueues(flags, run, async (queue) => {
    for await (const { id: task, threadId: thread_id, questions } of queue.list(["delayed"]))
      for (const { id, question, answer } of questions)
        if (answer === null) await run.printJson({ task, id, thread_id, question });
    return 0;
  });
}

export async function answerQuestion(
  { task, question, decision, reason }: AnswerArguments,
  flags: QueueFlags,
  run: CommandRun,
): Promise<number> {
  if (reason !== undefined && decision !== "deny")
    throw new ProgramError("usage", "A reason goes with deny: the model gets it. Approve without one.");
  const answers: Readonly<Record<AnswerArguments["decision"], TaskAnswer>> = {
    approve: { type: "approved.once" },
    "approve-thread": { type: "approved.thread" },
    deny: { type: "denied", reason: reason ?? null },
  };
  return changeTasks([task], { flags, run }, async (queue, id) => {
    if ((await queue.find(id)) === null) return null;
    const outcome = await queue.answer(id, question, answers[decision]);
    if (outcome === "answered") return "continues with your answer";
    const advice =
      outcome === "unseen"
        ? "asks a question that is too long for the queue: resume its thread to answer"
        : "does not wait for this question: see unroll queue answer";
    throw new ProgramError("input", `${id} ${advice}.`);
  });
}

export function pauseQueue(isPaused: boolean, flags: QueueFlags, run: CommandRun): Promise<number> {
  return withQueues(flags, run, async (queue, name) => {
    await (isPaused ? queue.pause() : queue.resume());
    await run.printFolded(`${name}: ${isPaused ? "paused; running tasks end" : "workers take tasks"}.`);
    return 0;
  });
}

export function drainQueue(flags: QueueFlags, run: CommandRun): Promise<number> {
  return withQueues(flags, run, async (queue, name) => {
    await run.printFolded(`${name}: removed ${countNouns(await queue.drain(), "task")}.`);
    return 0;
  });
}

const lookAgainMs = 1000;

/** Reads the thread's journal, never the queue's events. */
export async function followTask(
  id: string,
  flags: QueueFlags & { readonly store?: string },
  run: CommandRun,
): Promise<number> {
  const { io } = run;
  const found: string[] = [];
  await withQueues(flags, run, async (queue) => {
    const task = await queue.find(id);
    if (task !== null) found.push(task.threadId);
    return 0;
  });
  const [threadId] = found;
  if (threadId === undefined) throw new ProgramError("input", `The queue has no task ${id}.`);
  const { store: named } = flags;
  const place = { codexHome: resolveCodexHome(io.env, io.cwd), ...(named !== undefined && { store: named }) };
  const store = await openProgramStore(place, io);
  const end = new AbortController();
  for (;;) {
    try {
      for await (const entries of store.watch(threadId, { signal: end.signal })) {
        for (const event of replayThread(entries)) await run.printJson(event);
        if (entries.some(isEnd)) return 0;
      }
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, "code") !== "thread_missing") throw error;
      await io.sleep(lookAgainMs, end.signal); // no worker has begun it
    }
  }
}

function isEnd(entry: JournalEntry): boolean {
  if (entry.type !== "turn.ended" || entry.outcome.type === "interrupted") return false;
  return entry.outcome.type !== "failed" || entry.outcome.error.code !== "approval_needed"; // it waits for an answer
}
