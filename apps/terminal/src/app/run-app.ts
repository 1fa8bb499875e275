import type { ResolvedConfig } from "@unroll/config";
import { readGitFacts } from "@unroll/files";
import { scrubInheritedFds } from "@unroll/process-tree";
import { createHost, findNamedImages } from "@unroll/program";
import { showHidden } from "@unroll/text";
import { builtInCommands } from "../command/commands.ts";
import type { PersonInput } from "../driver.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { type App, type AppOptions, tell } from "./app.ts";
import { followThreads } from "./follow-threads.ts";
import { offerCompletions } from "./offer-completions.ts";
import { openApp } from "./open-app.ts";
import { openConfig } from "./open-config.ts";
import { readPromptCommands } from "./read-prompt-commands.ts";
import { showPast } from "./show-past.ts";
import { createStatusRow } from "./status.ts";
import { converse } from "./take-actions.ts";

/** Runs the program to its end. Returns what you are told when the terminal is yours again. */
export async function runApp(run: AppOptions): Promise<readonly string[]> {
  const { options, io, driver, ending } = run;
  const host = createHost(io);
  scrubInheritedFds([]);
  await using model = await openConfig({ flags: options, host, io, driver, signal: ending.signal });
  const { config } = model;
  const { listSecretValues } = await import("@unroll/config");
  run.onSecrets(listSecretValues(config, host.env));
  if (!config.terminal.animations) driver.live?.stopAnimation();
  if (config.terminal.theme !== "auto") driver.chooseTheme(config.terminal.theme);
  const app = await openApp({ ...run, host, config });
  await using conversation = app.conversation;
  using _following = followThreads(app);
  conversation.onEnded((command) =>
    tell(app, `Ended with the conversation it ran in: ${showHidden(command)}`, "muted"),
  );
  await prepare(app, options);
  for (const notice of model.notices) tell(app, notice, "muted");
  void tellSandbox(app).catch(() => {}); // doctor tells more
  await converse(app, await readFirst(app, options));
  return await bidFarewell(app);
}

async function prepare(app: App, options: TerminalOptions): Promise<void> {
  const { driver, conversation, history } = app;
  const { codexHome, projectRoot } = conversation.config;
  app.commands = [...builtInCommands, ...(await readPromptCommands(codexHome))];
  driver.setCommands(app.commands);
  driver.setHistory(history.texts);
  if (driver.live !== null) {
    const git = projectRoot === null ? null : readGitFacts(projectRoot);
    driver.live.setStatus(createStatusRow(app, git?.branch ?? git?.commit?.slice(0, 7) ?? null));
    offerCompletions(app, driver.live);
  } else tell(app, describeConfig(conversation.config));
  if (options.from !== undefined) await showPast(app, app.copiedFrom);
}

/** What the status line says where there is one. */
function describeConfig({ model, sandboxSettings, approvalPolicy }: ResolvedConfig): string {
  return `${model}, sandbox ${sandboxSettings.mode}, approvals ${approvalPolicy}. /help`;
}

/** What the command line says; without a prompt, its pictures go with the first message. */
async function readFirst({ driver, io }: App, { image = [], prompt }: TerminalOptions): Promise<PersonInput | null> {
  const images = await findNamedImages(image, io.cwd);
  if (prompt !== undefined) return { submission: { text: prompt, images, isShell: false }, by: "line" };
  for (const source of images) driver.attachImage(source);
  return null;
}

async function bidFarewell({ conversation }: App): Promise<readonly string[]> {
  const running = [conversation.thread, ...conversation.leftThreads()].flatMap((thread) =>
    thread.sessions.list().filter(({ isRunning }) => isRunning),
  );
  const ended = running.map(({ command }) => `Ended with the program: ${command}`);
  return [
    ...ended,
    ...((await conversation.isResumable()) ? [`To go on: unroll resume ${conversation.thread.id}`] : []),
  ];
}

/** Says once, at the start, where commands would be refused for want of a sandbox, with what is to be done. */
async function tellSandbox(app: App): Promise<void> {
  const { conversation, host } = app;
  if (conversation.config.sandboxSettings.mode === "danger-full-access") return;
  const { openSandbox } = await import("@unroll/harness");
  await using sandbox = await openSandbox(conversation.config, host);
  const { refusal } = await sandbox.explain();
  if (refusal === null) return;
  tell(app, `Commands will be refused: ${refusal}`, "warning");
}
