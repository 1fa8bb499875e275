import {
  type BatchEvent,
  type BatchRoom,
  createCacheShards,
  createProviderGate,
  type TaskResult,
  type TaskRunner,
} from "@unroll/batch";
import { type Clock, createEventQueue, createSlots, untilAborted } from "@unroll/flow";
import { createBudget } from "@unroll/harness";
import type { BudgetLimits } from "@unroll/protocol";
import { describeServerFailure, describeThrown } from "@unroll/text";
import { toTaskId } from "./job/job-data.ts";
import { keepFromFailing } from "./job/keep-from-failing.ts";
import { processJob } from "./job/process-job.ts";
import { type JobWorker, openServer, type QueueServerClient, type TaskJob } from "./open-server.ts";
import { QueueError, toUnreachable } from "./queue-error.ts";
import { toQueueName } from "./queue-name.ts";
import { type ClockWatch, createClockWatch } from "./server/clock-watch.ts";
import type { ServerAccess } from "./server/server-access.ts";

/** The options of a worker. */
export interface WorkerOptions {
  /** As of `openTaskQueue`. */
  readonly url: string;
  readonly name?: string;
  /** Takes the tasks of this host, too. Absent: only those of all workers. */
  readonly host?: string;
  readonly runner: TaskRunner;
  readonly clock: Clock;
  /** How many tasks run at once; default 8. */
  readonly concurrency?: number;
  /** Limits for each task. */
  readonly taskBudget?: Partial<BudgetLimits>;
  /** In ms, for each task; pauses do not count. Absent: no limit. */
  readonly taskTimeoutMs?: number;
  /**
   * A question about a call waits in the queue for `TaskQueue.answer`, and its task frees this worker. Absent: questions are denied.
   */
  readonly waitsForAnswers?: boolean;
  /** Tasks that all workers of the queue together start in a time. Absent: no limit. */
  readonly rate?: { readonly max: number; readonly perMs: number };
  /** In ms: how long a worker may be silent before another one takes its tasks; default 30 s. The same for all workers of a queue. */
  readonly lockMs?: number;
  /**
   * In ms: until a task whose thread another process has is tried again; default 5 s. For one that waits for an answer, a worker looks after
   * twelve times as long whether another program has given it.
   */
  readonly againMs?: number;
  /** In ms: how long running tasks have to end after `drain`; default 20 s. */
  readonly drainMs?: number;
  /** Takes no more tasks; the running ones end, or go back to the queue when `drainMs` are over. */
  readonly drain?: AbortSignal;
  /** Running tasks go back to the queue at once: another worker continues their threads. */
  readonly signal?: AbortSignal;
}

/** One event of a worker. */
export type WorkerEvent =
  | Exclude<BatchEvent, { type: "batch.started" }>
  | { readonly type: "worker.started" }
  /** The worker accepts no more tasks; `running` of them have still to end. */
  | { readonly type: "worker.draining"; readonly running: number }
  /** The task did not end here: it waits in the queue again. */
  | { readonly type: "task.returned"; readonly taskId: string; readonly reason: string }
  /** The server does not answer; the worker connects again by itself. */
  | { readonly type: "worker.disturbed"; readonly message: string };

/** How a worker ended. */
export interface WorkerSummary {
  readonly completed: number;
  readonly failed: number;
  /** Tasks that went back to the queue. */
  readonly returned: number;
  /** Why it stopped by itself; null: it was asked to. */
  readonly stopped: NonNullable<TaskResult["error"]> | null;
}

/** Events may wait for their reader up to this number, before tasks wait too. */
const waitingEvents = 1000;
/** The clocks are compared after each such part of the lock: every 10 s of 30. */
const clockCheckPart = 1 / 3;
/** Cancelled tasks are looked for after each such part of the lock: every 2 s of 30. */
const cancelCheckPart = 1 / 15;
/** How long tasks have to go back to the queue, and connections to close: a server that is away never answers. */
const closeMs = 8_000;
const defaultLockMs = 30_000;
/** A stall is a worker that died or was blocked: its thread lost nothing, so BullMQ need not give the task up. */
const mostStalls = 1_000_000;
const mostDeaths = 20;

/**
 * Takes tasks from a queue and runs them, until it is asked to stop or no task can run: a rejected
 * login, a used-up quota. Yields events and returns a summary. Leaving the loop early is `signal`.
 * A worker that dies loses nothing: another one continues the threads of its tasks.
 */
export async function* runWorker(options: WorkerOptions): AsyncGenerator<WorkerEvent, WorkerSummary> {
  const events = createEventQueue<WorkerEvent>(waitingEvents);
  const stop = new AbortController();
  const left = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const state: WorkerState = {
    counts: { completed: 0, failed: 0 },
    returned: new Set(),
    stopped: null,
  };
  const wires: WorkerWires = {
    signal: left,
    tell: (event) => events.push(event),
    note: (event) => {
      events.push(event).catch(() => {}); // a queue never rejects
    },
    stop(error) {
      state.stopped ??= error;
      stop.abort();
    },
    giveBack(taskId, reason) {
      state.returned.add(taskId);
      wires.note({ type: "task.returned", taskId, reason });
    },
  };
  const server = await openServer(options.url);
  await using access = await server.openAccess();
  const { clock, lockMs = defaultLockMs, rate } = options;
  const time = createClockWatch(access, clock, { lockMs, rateMs: rate?.perMs ?? lockMs });
  const seats = await openSeats(server, options, { state, wires, time });
  const running = runSeats(seats, { options, wires, stop, time, access }).finally(() => events.close());
  running.catch(() => {}); // it is awaited below
  try {
    yield { type: "worker.started" };
    yield* events.events();
  } finally {
    stop.abort();
    await running;
  }
  return { ...state.counts, returned: state.returned.size, stopped: state.stopped };
}

interface WorkerState {
  readonly counts: { completed: number; failed: number };
  /** Tasks that went back to the queue and did not end here later. */
  readonly returned: Set<string>;
  stopped: WorkerSummary["stopped"];
}

interface WorkerWires {
  /** Aborted: running tasks go back. */
  readonly signal: AbortSignal;
  readonly tell: (event: WorkerEvent) => Promise<void>;
  readonly note: (event: WorkerEvent) => void;
  readonly stop: (error: NonNullable<TaskResult["error"]>) => void;
  readonly giveBack: (taskId: string, reason: string) => void;
}

/** One of BullMQ's workers. */
interface Seat {
  readonly queueName: string;
  readonly worker: JobWorker;
  /** The ids of the jobs that run. */
  readonly active: ReadonlySet<string>;
  /** The ids of those of them that the user has cancelled. */
  readonly cancelled: Set<string>;
}

/** One for the tasks of all workers, and one for those of this host: a worker of BullMQ has one queue. */
async function openSeats(
  server: QueueServerClient,
  options: WorkerOptions,
  { state, wires, time }: Pick<Running, "wires" | "time"> & { readonly state: WorkerState },
): Promise<readonly Seat[]> {
  const { name, host, concurrency = 8, lockMs = defaultLockMs, againMs = 5_000, rate } = options;
  const room = createRoom(options, wires);
  const slots = createSlots(concurrency);
  const seats: Seat[] = [];
  const { waitsForAnswers = false } = options;
  const own = {
    lockMs,
    againMs,
    mostDeaths,
    waitsForAnswers,
    giveBack: wires.giveBack,
    isClockRight: () => time.isRight,
  };
  const jobRoom = { ...own, bullmq: server.bullmq, room, stop: wires.stop };

  async function openSeat(queueName: string): Promise<Seat> {
    await (await server.openQueue(queueName)).close(); // the first look: an error, if nobody answers
    const [active, cancelled] = [new Set<string>(), new Set<string>()];
    const isCancelled = ({ id = "" }: TaskJob): boolean => cancelled.has(id);
    async function process(
      job: TaskJob,
      token: string | undefined,
      signal: AbortSignal | undefined,
    ): Promise<TaskResult> {
      using _place = await slots.take();
      const id = job.id ?? "";
      keepFromFailing(job, server.bullmq);
      active.add(id);
      try {
        return await processJob(job, token ?? "", { ...jobRoom, isCancelled, signal: signal ?? wires.signal });
      } finally {
        active.delete(id);
        cancelled.delete(id);
      }
    }
    const worker = await server.openWorker(queueName, process, {
      concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 3),
      maxStalledCount: mostStalls,
      ...(rate && { limiter: { max: rate.max, duration: rate.perMs } }),
    });
    worker.on("error", (error) => wires.note({ type: "worker.disturbed", message: describeThrown(error) }));
    for (const end of ["completed", "failed"] as const)
      worker.on(end, (job) => {
        state.counts[end] += 1;
        state.returned.delete(toTaskId(job?.id ?? ""));
      });
    worker.on("lockRenewalFailed", (ids) => ids.forEach((id) => worker.cancelJob(id)));
    return { queueName, worker, active, cancelled };
  }

  const names = (host === undefined ? [undefined] : [undefined, host]).map((each) => toQueueName(name, each));
  try {
    for (const each of names) seats.push(await openSeat(each));
    const fault = await time.check(names).catch((error: unknown) => Promise.reject(toUnreachable(error)));
    if (fault !== null) throw new QueueError("queue_clock", fault);
    return seats;
  } catch (error) {
    await Promise.all(seats.map(({ worker }) => worker.close(true)));
    throw error;
  }
}

function createRoom({ runner, clock, ...each }: WorkerOptions, { signal, tell, note }: WorkerWires): BatchRoom {
  const gate = createProviderGate(clock, (pause) =>
    note(pause === null ? { type: "batch.continued" } : { type: "batch.paused", pause }),
  );
  const budget = createBudget({ clock, limits: {}, of: "worker" });
  const [limits, timeoutMs] = [each.taskBudget ?? {}, each.taskTimeoutMs ?? null];
  return {
    runner,
    clock,
    journal: null,
    budget,
    gate,
    shards: createCacheShards(clock),
    signal,
    tell,
    limits,
    timeoutMs,
  };
}

interface Running {
  readonly options: WorkerOptions;
  readonly wires: WorkerWires;
  readonly stop: AbortController;
  readonly time: ClockWatch;
  readonly access: ServerAccess;
}

async function runSeats(seats: readonly Seat[], { options, wires, stop, time, access }: Running): Promise<void> {
  const { clock, drain, drainMs = 20_000 } = options;
  const { signal, note } = wires;
  const fault = (error: unknown): void => wires.stop({ code: "queue_failed", message: describeThrown(error) });
  for (const { worker } of seats) worker.run().catch(fault);
  const checking = Promise.all([
    watchCancellations(seats, { options, wires, access }),
    watchClock(seats, { options, wires, time }),
  ]);
  const ends = drain === undefined ? signal : AbortSignal.any([drain, signal]);
  await untilAborted(new Promise(() => {}), ends);
  const idle = Promise.allSettled(seats.map(({ worker }) => worker.pause())); // waits for what runs
  if (!signal.aborted) {
    note({ type: "worker.draining", running: seats.reduce((sum, { active }) => sum + active.size, 0) });
    await Promise.race([idle, clock.sleep(drainMs, signal)]);
  }
  stop.abort();
  const closed = new AbortController();
  const late = clock.sleep(closeMs, closed.signal);
  await Promise.race([Promise.all([idle, checking]), late]);
  // forced: otherwise BullMQ (6.7) waits for its server without an end
  await Promise.race([Promise.allSettled(seats.map(({ worker }) => worker.close(true))), late]);
  closed.abort();
  for (const { active } of seats)
    for (const jobId of active)
      wires.giveBack(toTaskId(jobId), "A server does not answer. Another worker continues it when its lock ends.");
}

/** Tasks go back while the clocks differ. */
async function watchClock(
  seats: readonly Seat[],
  { options: { clock, lockMs = defaultLockMs }, wires, time }: Pick<Running, "options" | "wires" | "time">,
): Promise<void> {
  const names = seats.map(({ queueName }) => queueName);
  while (!wires.signal.aborted) {
    await clock.sleep(lockMs * clockCheckPart, wires.signal);
    try {
      const fault = await time.check(names);
      if (fault !== null) wires.stop({ code: "queue_clock", message: fault });
    } catch (error) {
      wires.note({ type: "worker.disturbed", message: describeServerFailure(error) });
    }
  }
}

/** BullMQ carries no wish to cancel to another process: the worker looks for it, for all of its tasks at once. */
async function watchCancellations(
  seats: readonly Seat[],
  {
    options: { clock, lockMs = defaultLockMs },
    wires: { signal },
    access,
  }: Pick<Running, "options" | "wires" | "access">,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(lockMs * cancelCheckPart, signal);
    const running = seats.flatMap(({ queueName, active }) => [...active].map((jobId) => ({ queueName, jobId })));
    if (running.length === 0) continue;
    const found = await access.findCancelled(running).catch(() => []); // the server is away: the next look tells
    for (const { queueName, jobId } of found) {
      const seat = seats.find((each) => each.queueName === queueName);
      if (seat === undefined || !seat.active.has(jobId)) continue;
      seat.cancelled.add(jobId);
      seat.worker.cancelJob(jobId);
    }
  }
}
