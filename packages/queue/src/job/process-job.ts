import { type BatchRoom, BatchError, runTask, type TaskResult, type TaskThread } from "@unroll/batch";
import { describeThrown } from "@unroll/text";
import type { QueueServerClient, TaskJob } from "../open-server.ts";
import { QueueError } from "../queue-error.ts";
import { createJobPerson } from "./create-job-person.ts";
import { type JobData, type JobQuestion, largestJobBytes, toTaskId, toThreadId } from "./job-data.ts";
import { FailedTask, isVerdict } from "./keep-from-failing.ts";
import { encodeJobData, parseJobData } from "./parse-job-data.ts";
import { toFailedResult } from "./to-failed-result.ts";

/** The surroundings of a job. */
export interface JobRoom {
  readonly bullmq: QueueServerClient["bullmq"];
  readonly room: BatchRoom;
  readonly isClockRight: () => boolean;
  /** In ms: the job's lock, as BullMQ renews it. */
  readonly lockMs: number;
  /** In ms: until a job that cannot run now is tried again, by any worker. */
  readonly againMs: number;
  /** Workers that may die while they run a task, before the task fails. */
  readonly mostDeaths: number;
  /** Whether questions about calls wait for an answer in the job; otherwise they are denied. */
  readonly waitsForAnswers: boolean;
  /** Whether the user has cancelled the job. */
  readonly isCancelled: (job: TaskJob) => boolean;
  /** Hears why a job goes back to the queue. */
  readonly giveBack: (taskId: string, reason: string) => void;
  /** Hears an error that no task can get past: the worker ends. */
  readonly stop: (error: NonNullable<TaskResult["error"]>) => void;
}

/** So many times as late, a worker looks whether another program has answered a task's question: each minute. */
const answerTimes = 12;
const stopping = "This worker stops.";

/**
 * Runs the task of a job to its end, or gives the job back. Returns the result of a completed task;
 * throws for a failed one, as BullMQ wants it, and its errors that mean "not ended".
 */
export async function processJob(
  job: TaskJob,
  token: string,
  options: JobRoom & { readonly signal: AbortSignal },
): Promise<TaskResult> {
  const { bullmq, room, giveBack, signal } = options;
  const taskId = toTaskId(job.id ?? "");
  const attempt = job.attemptsMade;

  const delay = (reason: string | null, times = 1): Promise<never> => {
    if (reason !== null) giveBack(taskId, reason);
    return moveBack(job, { token, waitMs: options.againMs * times }, options);
  };

  let data: JobData;
  try {
    data = parseJobData(job.data, taskId);
  } catch (error) {
    if (error instanceof QueueError || error instanceof BatchError) return await delay(error.message);
    throw error;
  }

  /** Throws if another worker may have the job: this one was away for longer than its lock. */
  async function hold(): Promise<void> {
    if ((await orNotNow(job.extendLock(token, options.lockMs))) === 0)
      throw new NotNow(`The task ${taskId} was given to another worker.`);
  }
  async function write(change: Partial<JobData>): Promise<void> {
    await hold();
    data = { ...data, ...change };
    await orNotNow(job.updateData(encodeJobData(data)));
  }
  async function settle(result: TaskResult): Promise<TaskResult> {
    if (data.ended?.attempt !== attempt) await write({ ended: { attempt, result }, questions: [] });
    if (result.status === "completed") return result;
    const message = result.error?.message ?? "The task failed.";
    throw options.isCancelled(job) ? new bullmq.UnrecoverableError(message) : new FailedTask(message);
  }

  if (room.signal.aborted) return await delay(stopping);
  const { task, threadId: first, begun, ended, questions: given } = data;
  if (ended?.attempt === attempt) return settle(ended.result); // the worker died just behind it
  const known: TaskThread | null = begun?.attempt === attempt ? begun : null;
  const thread = known ?? (task.resume === undefined ? { threadId: toThreadId(first, attempt), turns: 0 } : null);
  async function fail(code: string, message: string): Promise<TaskResult> {
    const result = toFailedResult({ id: task.id, threadId: thread?.threadId ?? null }, { code, message });
    await write({ ended: { attempt, result }, questions: [] });
    await room.tell({ type: "task.ended", task, result });
    return await settle(result);
  }
  if (job.stalledCounter >= options.mostDeaths)
    return fail("task_poison", `${job.stalledCounter} workers died while they ran this task.`);
  await hold();
  const asked = createJobPerson(given);
  const hasNews = given.length === 0 || given.some(({ answer }) => answer !== null);
  const waits = options.waitsForAnswers || given.length > 0; // another worker asked
  const journal: BatchRoom["journal"] = {
    began: (_task, opened) => write({ begun: { attempt, ...opened } }),
    async ended(_task, result) {
      const elsewhere = findElsewhere(result.error);
      if (elsewhere !== null) throw new NotNow(elsewhere);
      if (result.error?.code === "approval_needed") throw new UnansweredTask();
      await write({ ended: { attempt, result }, questions: [] });
    },
  };
  const tell: BatchRoom["tell"] = (event) => {
    if (event.type === "task.event" && event.event.type === "request.started") asked.forget();
    return room.tell(event);
  };
  const own = { journal, tell, signal: AbortSignal.any([room.signal, signal]) };
  const questions = waits ? { questions: { person: asked.person, hasNews } } : {};
  try {
    const ran = await runTask(task, thread, { ...room, ...questions, ...own });
    if (ran.type === "ended") return await settle(ran.result);
    if (options.isCancelled(job)) return await fail("cancelled", "You cancelled the task.");
    if (ran.type === "stopped") options.stop(ran.error);
    return await delay(ran.type === "stopped" ? ran.error.message : stopping);
  } catch (error) {
    if (isVerdict(error, bullmq)) throw error;
    if (error instanceof NotNow) return await delay(error.message);
    if (!(error instanceof UnansweredTask)) throw new FailedTask(describeThrown(error)); // a fault of the runner
    if (asked.waiting.length > 0) await write({ questions: toFitting(data, asked.waiting) });
    return await delay(hasNews ? "It waits for an answer (unroll queue answer)." : null, answerTimes);
  }
}

/** Throws, as BullMQ wants it. A delay by a wrong clock would end at a wrong time. */
async function moveBack(
  job: TaskJob,
  { token, waitMs }: { readonly token: string; readonly waitMs: number },
  { bullmq, room, isClockRight }: JobRoom,
): Promise<never> {
  if (!isClockRight()) {
    await job.moveToWait(token);
    throw new bullmq.WaitingError();
  }
  await job.moveToDelayed(room.clock.now() + Math.ceil(waitMs), token);
  throw new bullmq.DelayedError();
}

/** A question that is too large can only be answered in its thread. */
function toFitting(data: JobData, questions: readonly JobQuestion[]): readonly JobQuestion[] {
  const bytes = Buffer.byteLength(JSON.stringify(encodeJobData({ ...data, questions })));
  return bytes <= largestJobBytes ? questions : questions.map((each) => ({ ...each, question: null }));
}

/** The queue's server is away, or the thread is elsewhere: a worker can run the task later. */
class NotNow extends Error {
  override readonly name = "NotNow";
}

async function orNotNow<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    throw new NotNow(describeThrown(error), { cause: error });
  }
}

class UnansweredTask extends Error {
  override readonly name = "UnansweredTask";
}

/** Why this worker cannot run the thread; null: it has ended here. */
function findElsewhere(error: TaskResult["error"]): string | null {
  switch (error?.code ?? "") {
    case "thread_locked":
      return "Another process has its thread.";
    case "thread_lost":
      return "This worker could not keep its thread.";
    case "thread_newer":
    case "journal_failed": // its store is away, or full
    case "store_unreachable":
      return error?.message ?? null;
    default:
      return null;
  }
}
