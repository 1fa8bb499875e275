import { readGitFacts } from "@unroll/files";
import { scrubInheritedFds } from "@unroll/process-tree";
import { createHost, findNamedImages } from "@unroll/program";
import type { PersonInput } from "../driver.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { type App, type AppOptions, tell } from "./app.ts";
import { describeResumed, describeSettings } from "../text/describe-settings.ts";
import { offerCompletions } from "./offer-completions.ts";
import { openApp } from "./open-app.ts";
import { openConfig } from "./open-config.ts";
import { refreshCommands } from "./read-prompt-commands.ts";
import { showPast } from "./show-past.ts";
import { showTitle } from "./show-title.ts";
import { createStatusRow } from "./status.ts";
import { converse } from "./take-actions.ts";

/** Runs the program to its end. Returns the lines to print when the terminal is yours again. */
export async function runApp(run: AppOptions): Promise<readonly string[]> {
  const { options, io, driver, ending } = run;
  const host = createHost(io);
  scrubInheritedFds([]);
  const opening = { flags: options, host, io, driver, signal: ending.signal };
  await using model = await openConfig(opening, options.from === undefined ? "new" : "kept");
  const { config } = model;
  const { listSecretValues } = await import("@unroll/config");
  run.onSecrets(listSecretValues(config, host.env));
  if (!config.terminal.animations) driver.live?.stopAnimation();
  if (config.terminal.theme !== "auto") driver.chooseTheme(config.terminal.theme);
  const app = await openApp({ ...run, host, config });
  await using _leftovers = app.leftovers;
  await using threads = app.threads;
  threads.begin();
  await prepare(app);
  for (const notice of model.notices) tell(app, notice, "muted");
  void warnWithoutSandbox(app).catch(() => {}); // doctor tells more
  await converse(app, await readFirst(app, options));
  return bidFarewell(app);
}

async function prepare(app: App): Promise<void> {
  const { driver, threads, history } = app;
  const { config, id, forkedFrom } = threads.current;
  const { projectRoot } = config;
  await refreshCommands(app);
  driver.setHistory(history.drafts);
  if (driver.live !== null) {
    const git = projectRoot === null ? null : readGitFacts(projectRoot);
    driver.live.setStatus(createStatusRow(app, git?.branch ?? git?.commit?.slice(0, 7) ?? null));
    showTitle(app);
    offerCompletions(app, driver.live);
  } else tell(app, `${describeSettings(config)}. /help`); // in place of the status line
  if (!app.isContinued) return;
  await showPast(app);
  const { current } = threads;
  tell(
    app,
    forkedFrom === null ? describeResumed(current) : `Thread ${id} is a copy of thread ${forkedFrom}.`,
    "muted",
  );
}

/** The prompt of the command line. Without one, its pictures go with your first message. */
async function readFirst({ driver, io }: App, { image = [], prompt }: TerminalOptions): Promise<PersonInput | null> {
  const images = await findNamedImages(image, io.cwd);
  if (prompt !== undefined) return { submission: { text: prompt, images, isShell: false }, by: "line" };
  for (const source of images) driver.attachImage(source);
  return null;
}

function bidFarewell({ threads: { current, left } }: App): readonly string[] {
  const running = [current, ...left].flatMap((thread) =>
    thread.backgroundCommands.list().filter(({ isRunning }) => isRunning),
  );
  const ended = running.map(({ command }) => `Ended when you quit: ${command}`);
  return [...ended, ...(current.isSaved ? [`To continue: unroll resume ${current.id}`] : [])];
}

/** At the start, warns you if commands will be refused because there is no sandbox, and says what to do. */
async function warnWithoutSandbox(app: App): Promise<void> {
  const { config } = app.threads.current;
  if (config.sandboxSettings.mode === "danger-full-access") return;
  const { openSandbox } = await import("@unroll/harness");
  await using sandbox = await openSandbox(config, app.host);
  const refusal = await sandbox.findRefusal();
  if (refusal === null) return;
  tell(app, `Commands will be refused: ${refusal}`, "warning");
}
