import { isDeepStrictEqual } from "node:util";
import { type BatchTask, encodeTask } from "@unroll/batch";
import { type JobData, largestJobBytes, type TaskAnswer, toJobId } from "./job/job-data.ts";
import { parseJobCounts } from "./job/parse-job-counts.ts";
import { encodeJobData, parseJobData } from "./job/parse-job-data.ts";
import { type QueuedTask, type TaskState, toQueuedTask } from "./job/queued-task.ts";
import type { JobType } from "bullmq";
import { type JobQueue, openServer, type TaskJob } from "./open-server.ts";
import { QueueError } from "./queue-error.ts";
import { toQueueName } from "./queue-name.ts";
import { cancelMark } from "./server/cancel-mark.ts";

/** The options of a queue. */
export interface TaskQueueOptions {
  /** `redis://`, `rediss://`, `unix:///path` or `postgres://`. */
  readonly url: string;
  /** Default `unroll`. */
  readonly name?: string;
  /** Tasks that only workers of this host take. Absent: those of all workers. */
  readonly host?: string;
}

/** How tasks are added. */
export interface AddOptions {
  /** An id for a new thread: a UUID of version 7. */
  readonly newId: () => string;
  /** 1 is taken first; default: behind all that have a number. */
  readonly priority?: number;
  /** In ms, until the tasks may start. */
  readonly delayMs?: number;
  /** How often a task that fails runs, each time in a new thread; default 1. */
  readonly attempts?: number;
  /** In s: how long an ended task and its result stay; default 7 days. */
  readonly keepSeconds?: number;
}

/** Which tasks were added. */
interface AddedTasks {
  readonly added: readonly string[];
  /** The queue had the same tasks already. */
  readonly known: readonly string[];
}

/** Tasks of one name on one server. */
export interface TaskQueue extends AsyncDisposable {
  /**
   * Adds tasks. A task that the queue has already is not added again. Throws `QueueError` `queue_task`,
   * and adds nothing, for one that is too large and for an id that has another task.
   */
  add(tasks: readonly BatchTask[], options: AddOptions): Promise<AddedTasks>;
  /** How many tasks are in each state, and whether the queue is paused. */
  status(): Promise<Readonly<Record<TaskState, number>> & { readonly paused: boolean }>;
  /** Tasks in these states; ended ones in the order in which they ended. */
  list(states: readonly TaskState[]): AsyncGenerator<QueuedTask>;
  /** Null: there is no task of this id. */
  find(taskId: string): Promise<QueuedTask | null>;
  /** A failed task waits again, for a new thread. False: it has not failed. */
  retry(taskId: string): Promise<boolean>;
  /** Removes a waiting task, or asks the worker that runs it to stop it. */
  cancel(taskId: string): Promise<"removed" | "stopping" | "ended" | "missing">;
  /**
   * Answers a question of a waiting task, which a worker then continues. `missing`: the task does not wait for this question, or a worker
   * continues it just now. `unseen`: the queue does not have the question's text, so nobody can have read it here.
   */
  answer(taskId: string, questionId: string, answer: TaskAnswer): Promise<"answered" | "missing" | "unseen">;
  /** Workers take no more tasks; running ones end. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Removes all tasks that wait; returns how many. */
  drain(): Promise<number>;
}

const taskStates: readonly TaskState[] = ["waiting", "delayed", "active", "completed", "failed"];
const bullStates: Readonly<Record<TaskState, readonly JobType[]>> = {
  waiting: ["waiting", "prioritized"],
  delayed: ["delayed"],
  active: ["active"],
  completed: ["completed"],
  failed: ["failed"],
};

const week = 7 * 24 * 3600;
const pageSize = 500;

/** Opens a queue. Throws `QueueError` if the server does not answer. */
export async function openTaskQueue({ url, name, host }: TaskQueueOptions): Promise<TaskQueue> {
  const server = await openServer(url);
  const queue = await server.openQueue(toQueueName(name, host));

  return {
    add: (tasks, options) => addTasks(queue, tasks, options),
    async status() {
      const { waiting, prioritized, paused, ...others } = await parseJobCounts(queue);
      return { ...others, waiting: waiting + prioritized + paused, paused: await queue.isPaused() };
    },
    async *list(states) {
      for (const state of states)
        for (const bullState of bullStates[state])
          for await (const job of listJobs(queue, bullState)) yield toQueuedTask(job, state);
    },
    async find(taskId) {
      const job = await queue.getJob(toJobId(taskId));
      if (job === undefined) return null;
      const bullState = await job.getState();
      const state = taskStates.find((each) => bullStates[each].some((one) => one === bullState));
      return toQueuedTask(job, state ?? "waiting");
    },
    async retry(taskId) {
      const job = await queue.getJob(toJobId(taskId));
      if (job === undefined || !(await job.isFailed())) return false;
      await job.updateProgress(0); // a task that was cancelled would be so again
      await job.retry("failed");
      return true;
    },
    async cancel(taskId) {
      const job = await queue.getJob(toJobId(taskId));
      if (job === undefined) return "missing";
      if ((await job.isCompleted()) || (await job.isFailed())) return "ended";
      await job.updateProgress(cancelMark);
      if (await job.isActive()) return "stopping";
      await job.remove();
      return "removed";
    },
    answer: (taskId, questionId, answer) => answerQuestion(queue, { taskId, questionId, answer }),
    pause: () => queue.pause(),
    resume: () => queue.resume(),
    async drain() {
      const { waiting, prioritized, paused, delayed } = await parseJobCounts(queue);
      await queue.drain(true);
      return waiting + prioritized + paused + delayed;
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
}

interface GivenAnswer {
  readonly taskId: string;
  readonly questionId: string;
  readonly answer: TaskAnswer;
}

async function answerQuestion(
  queue: JobQueue,
  { taskId, questionId, answer }: GivenAnswer,
): ReturnType<TaskQueue["answer"]> {
  const job = await queue.getJob(toJobId(taskId));
  if (job === undefined || !(await job.isDelayed())) return "missing";
  const data = parseJobData(job.data, taskId);
  const asked = data.questions.find(({ id }) => id === questionId);
  if (asked === undefined) return "missing";
  if (asked.question === null) return "unseen";
  const questions = data.questions.map((each) => (each === asked ? { ...each, answer } : each));
  await job.updateData(encodeJobData({ ...data, questions }));
  await job.promote().catch(() => {}); // a worker took it just now: it looks again later
  return "answered";
}

async function* listJobs(queue: JobQueue, state: JobType): AsyncGenerator<TaskJob> {
  for (let start = 0; ; start += pageSize) {
    const page = await queue.getJobs(state, start, start + pageSize - 1, true);
    yield* page;
    if (page.length < pageSize) return;
  }
}

async function addTasks(queue: JobQueue, tasks: readonly BatchTask[], options: AddOptions): Promise<AddedTasks> {
  const fresh: JobData[] = [];
  const known: string[] = [];
  for (const task of tasks) {
    const data = { task, threadId: options.newId(), begun: null, ended: null, questions: [] };
    refuseLarge(data);
    const there = await queue.getJob(toJobId(task.id));
    if (there === undefined) fresh.push(data);
    else if (isSameTask(there, task)) known.push(task.id);
    else
      throw new QueueError(
        "queue_task",
        `The queue has another task with the id ${task.id}. Nothing was added. Give it another id, or cancel the other one.`,
      );
  }
  const { priority, delayMs, attempts = 1, keepSeconds = week } = options;
  const keep = { age: keepSeconds };
  await queue.addBulk(
    fresh.map((data) => ({
      name: "task",
      data: encodeJobData(data),
      opts: {
        jobId: toJobId(data.task.id),
        attempts,
        backoff: { type: "exponential", delay: 5000 },
        removeOnComplete: keep,
        removeOnFail: keep,
        ...(priority !== undefined && { priority }),
        ...(delayMs !== undefined && { delay: delayMs }),
      },
    })),
  );
  return { added: fresh.map(({ task }) => task.id), known };
}

function refuseLarge(data: JobData): void {
  const bytes = Buffer.byteLength(JSON.stringify(encodeJobData(data)));
  if (bytes > largestJobBytes)
    throw new QueueError(
      "queue_task",
      `The task ${data.task.id} has ${bytes} bytes of JSON, and ${largestJobBytes} fit. Put long text into a file that the task names.`,
    );
}

/** PostgreSQL keeps no order of members. */
function isSameTask({ data }: TaskJob, task: BatchTask): boolean {
  return isDeepStrictEqual(Reflect.get(Object(data), "task"), JSON.parse(JSON.stringify(encodeTask(task))));
}
