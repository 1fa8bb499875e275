import { createThreadRunner, type TaskRunner } from "@unroll/batch";
import type { Clock } from "@unroll/flow";
import {
  createClock,
  type Harness,
  type Host,
  openHarness,
  openSandbox,
  type ResolvedConfig,
  type ThreadOptions,
} from "@unroll/harness";
import {
  createHost,
  openProgramModel,
  openProgramStore,
  type ProcessIo,
  ProgramError,
  toUserAgent,
} from "@unroll/program";
import { toPriceOf } from "@unroll/use-cases/cache";
import { describeWeakSandbox } from "../describe-weak-sandbox.ts";
import type { ExecOptions } from "../exec-options.ts";
import type { ExecRun } from "../exec-run.ts";
import { createTaskPlaces } from "./task-places.ts";

/** Everything that runs tasks, wherever they come from. */
export interface TaskProgram extends AsyncDisposable {
  readonly host: Host;
  readonly clock: Clock;
  readonly config: ResolvedConfig;
  readonly harness: Harness;
  readonly runner: TaskRunner;
  readonly priceOf: ReturnType<typeof toPriceOf>;
  /** The options of each task's thread. */
  readonly threadOptions: ThreadOptions;
}

interface TaskNeeds {
  /** A flag or a command, to begin a sentence with. */
  readonly what: string;
  /** See `StorePlace`. */
  readonly holder?: string;
}

/**
 * Opens the model, the store and the harness for tasks. `what` needs saved threads: a flag or a command. Throws `ProgramError` where
 * threads are not saved.
 */
export async function openTaskProgram(
  options: ExecOptions,
  io: ProcessIo,
  { interruption, output, what, holder }: ExecRun & TaskNeeds,
): Promise<TaskProgram> {
  await using opening = new AsyncDisposableStack();
  const host = createHost(io);
  const model = opening.use(await openProgramModel(options, host, { signal: interruption.signal, io }));
  const { config } = model;
  await using sandbox = await openSandbox(config, host);
  const weakness = await describeWeakSandbox(sandbox);
  for (const notice of [...model.notices, ...(weakness === null ? [] : [weakness.text])]) await output.notice(notice);
  if (config.historyPersistence !== "save-all")
    throw new ProgramError(
      "usage",
      `${what} needs saved threads: without them it could not continue. Set history.persistence to save-all.`,
    );
  const store = await openProgramStore(
    { ...options, codexHome: config.codexHome, needsLocks: true, ...(holder !== undefined && { holder }) },
    io,
  );
  const { warning } = await store.upkeep.check(); // before a task meets what is refused
  if (warning !== null) await output.notice(warning);
  const harness = opening.use(
    await openHarness({
      host: { ...host, cwd: config.cwd },
      config,
      store,
      userAgent: toUserAgent("unroll_exec", host),
      ignoreRules: options.ignoreRules ?? false,
    }),
  );
  const more = {
    reportSandbox: true,
    waitForMcp: options.waitMcp ?? false,
    allowCacheBreak: options.allowCacheBreak ?? false,
  };
  const priceOf = toPriceOf(config);
  const openPlace = createTaskPlaces({ flags: options, host, io, config });
  const runner = createThreadRunner({
    harness,
    store,
    priceOf,
    newId: () => host.newId(),
    async openPlace(task, thread) {
      const place = await openPlace(task, thread);
      return { ...place, options: { ...place.options, ...more } };
    },
  });
  const parts = opening.move();
  return {
    host,
    clock: createClock(host),
    config,
    harness,
    runner,
    priceOf,
    threadOptions: { config, ...more },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
