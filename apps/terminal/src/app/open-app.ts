import { listSecretValues, type ResolvedConfig } from "@unroll/config";
import type { Host, OpenedModel } from "@unroll/harness";
import { findThreadId, openProgramStore, ProgramError } from "@unroll/program";
import { openThreadHost, type ThreadHost } from "@unroll/thread-host";
import { loadOtherModel, loadThreadModel } from "@unroll/use-cases/models";
import { showHidden } from "@unroll/text";
import { createRefusalWatch } from "@unroll/view";
import { chooseThread, type ChosenThread } from "../command/choose-thread.ts";
import type { Choice } from "../command/terminal-command.ts";
import { openHistory } from "../device/history.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { type App, type AppOptions, tell } from "./app.ts";
import { askPerson } from "./ask-person.ts";
import { openWithAccount } from "./offer-accounts.ts";
import { notifyPerson } from "./notify-person.ts";
import { showEvent } from "./show-event.ts";
import {
  TerminalThreads,
  type TerminalThreadsOptions,
  type ThreadDisplay,
  type ThreadSource,
} from "../terminal-threads.ts";

interface OpenAppOptions extends AppOptions {
  readonly host: Host;
  readonly config: ResolvedConfig;
}

/** Live text is shown at most this often, in ms. */
const deltaGapMs = 50;

/** Opens the first thread and everything around it. Disposing the app's threads closes all of them. */
export async function openApp(parts: OpenAppOptions): Promise<App> {
  const { options, io, driver, config, ending, clock } = parts;
  const { signal } = ending;
  const host = { ...parts.host, cwd: config.cwd };
  const libraries = await driver.load();
  let app: App | null = null;
  const display: ThreadDisplay = {
    begin: () => (app === null ? undefined : beginThread(app)),
    show: (event) => (app === null ? undefined : showEvent(app, event)),
    ended: (command) => tell({ driver }, `Ended with its thread: ${showHidden(command)}`, "muted"),
    ask(question, withdrawn) {
      const onQuestion = (message: string): void => {
        if (app !== null) notifyPerson(app, { type: "approval-requested", message, isLong: true });
      };
      return askPerson({ driver, libraries, cwd: config.cwd, onQuestion }, question, withdrawn);
    },
  };
  await using opening = new AsyncDisposableStack();
  const harness = { ignoreRules: options.ignoreRules ?? false, deltaGapMs };
  const threadHost = opening.use(openThreadHost({ io, flags: options, name: "unroll", signal, harness }));
  const isEphemeral = options.ephemeral === true;
  const source = await findSource(threadHost, parts);
  const own = {
    waitForMcp: options.waitMcp ?? false,
    allowCacheBreak: options.allowCacheBreak ?? false,
    loadModel: (opened: OpenedModel, now: ResolvedConfig) => loadThreadModel(opened, { flags: options, host, now }),
  };
  const loadOwnModel = (opened: OpenedModel, now: ResolvedConfig): Promise<ResolvedConfig> =>
    loadOtherModel(opened, { flags: options, host, now });
  const threads = await openWithAccount({ driver, host, signal }, config, (chosen) =>
    openFirst({ host: threadHost, config: chosen, isEphemeral, own, display, loadOwnModel }, source, parts),
  ).catch((error: unknown) => showFailure(error, parts));
  const history = await openHistory({
    codexHome: config.codexHome,
    isKept: config.historyPersistence === "save-all" && !isEphemeral,
    threadId: () => threads.current.id,
    clock,
    secrets: listSecretValues(config, host.env),
  });
  opening.move();
  app = {
    io,
    host,
    flags: options,
    clock,
    driver,
    threads,
    isContinued: source.type !== "new",
    libraries,
    history,
    ending,
    signal,
    commands: [],
    promptWarnings: new Set(),
    works: [],
    costUsd: 0,
    refusals: createRefusalWatch(),
    shownItems: 0,
    leftovers: new AsyncDisposableStack(),
  };
  return app;
}

function beginThread(app: App): void {
  const { cwd, hideAgentReasoning } = app.threads.current.config;
  app.driver.beginThread({ cwd, hidesReasoning: hideAgentReasoning });
  app.costUsd = 0;
  app.refusals = createRefusalWatch();
}

/** If another process has the thread open, you are offered the others. */
async function openFirst(
  opened: TerminalThreadsOptions,
  source: ThreadSource,
  parts: OpenAppOptions,
): Promise<TerminalThreads> {
  const { driver, host, config, ending } = parts;
  try {
    return await TerminalThreads.open(opened, source);
  } catch (error) {
    const isLocked = error instanceof Error && "code" in error && error.code === "thread_locked";
    if (!isLocked || source.type !== "resume" || !driver.isAttended) throw error;
    const chosen = await chooseThread(
      {
        threads: opened.host,
        host,
        cwd: config.cwd,
        currentId: null,
        verb: "Resume",
        choose: (choice) => driver.ask(createChooseFlow(choice), ending.signal),
      },
      { all: false, refused: { id: source.id, message: error.message } },
    );
    if (chosen === null || chosen === "none") throw error;
    const { id, isCopy } = chosen;
    return openFirst(opened, isCopy ? { type: "fork", id, turns: null } : { type: "resume", id }, parts);
  }
}

/** The thread that the command line names, the one that you choose from the list, or a new one. */
async function findSource(threads: ThreadHost, parts: OpenAppOptions): Promise<ThreadSource> {
  const { options, io, config } = parts;
  if (options.from === undefined) return { type: "new" };
  const { name, all, copiedTurns }: NonNullable<TerminalOptions["from"]> = options.from;
  const toSource = (id: string, isCopy = copiedTurns !== null): ThreadSource =>
    isCopy ? { type: "fork", id, turns: copiedTurns === "all" ? null : copiedTurns } : { type: "resume", id };
  if (name === null) {
    const chosen = await chooseFirst(threads, { ...parts, all, verb: copiedTurns === null ? "Resume" : "Fork" });
    if (chosen === null) {
      tell(parts, "New thread.");
      return { type: "new" };
    }
    if (chosen !== "none") return toSource(chosen.id, chosen.isCopy || copiedTurns !== null);
  }
  const store = await openProgramStore({ ...options, codexHome: config.codexHome }, io);
  return toSource(await findThreadId(store, { name: name ?? "last", cwd: config.cwd, all }));
}

/** Null: you want a new thread. `none`: no thread is saved. */
async function chooseFirst(
  threads: ThreadHost,
  {
    driver,
    host,
    config,
    ending,
    all,
    verb,
  }: OpenAppOptions & { readonly all: boolean; readonly verb: "Resume" | "Fork" },
): Promise<ChosenThread | "none" | null> {
  if (!driver.isAttended) {
    const message = "Nobody can choose a thread here. Give a thread id (see unroll threads list), or use --last.";
    throw new ProgramError("usage", message);
  }
  const choose = (choice: Choice): Promise<string | null> => driver.ask(createChooseFlow(choice), ending.signal);
  const ports = { threads, host, cwd: config.cwd, currentId: null, choose, verb };
  return chooseThread(ports, { all, refused: null });
}

/** Shows what happened to a thread that cannot be opened, such as a failed MCP server, and throws the error. */
async function showFailure(error: unknown, { driver, config }: OpenAppOptions): Promise<never> {
  const { HarnessError } = await import("@unroll/harness");
  driver.beginThread({ cwd: config.cwd, hidesReasoning: config.hideAgentReasoning });
  if (error instanceof HarnessError) for (const event of error.events) await driver.apply(event);
  throw error;
}
