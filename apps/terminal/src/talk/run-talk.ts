import { readGitFacts } from "@unroll/files";
import { scrubInheritedFds } from "@unroll/process-tree";
import { createHostEnvironment, exitCodes, findNamedImages, type ProcessIo } from "@unroll/program";
import { attachPiece } from "@unroll/screen";
import { showHidden } from "@unroll/text";
import type { Clock } from "@unroll/flow";
import { builtInCommands } from "../command/commands.ts";
import type { Desk } from "../desk/create-desk.ts";
import { createFileIndex } from "../input/file-index.ts";
import { readPromptCommands } from "../read-prompt-commands.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import type { UiEffect } from "../ui/ui-state.ts";
import { createStatusRow } from "./create-status-row.ts";
import { followThreads } from "./follow-thread.ts";
import { offerCompletions } from "./offer-completions.ts";
import { openConfig } from "./open-config.ts";
import { openTalk } from "./open-talk.ts";
import { readSegments } from "./read-status.ts";
import { showPast } from "./show-past.ts";
import { createDoings } from "./take-effects.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";
import { tellSandbox } from "./tell-sandbox.ts";

export interface TalkRun {
  readonly options: TerminalOptions;
  readonly io: ProcessIo;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly ending: AbortController;
  /** What a person wanted while this was being loaded. */
  readonly early: UiEffect[];
  /** Told of credentials as they become known: none of them is to be written into a crash log. */
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/** How a conversation ended. */
export interface EndedTalk {
  readonly exitCode: number;
  /** What a person is told when the terminal is theirs again. */
  readonly farewell: readonly string[];
}

/** A conversation at the terminal, to its end. */
export async function runTalk(run: TalkRun): Promise<EndedTalk> {
  const { options, io, clock, desk, ending } = run;
  const host = createHostEnvironment(io);
  scrubInheritedFds([]);
  await using model = await openConfig({ flags: options, host, io, desk, signal: ending.signal });
  const { config } = model;
  const { listSecretValues } = await import("@unroll/config");
  run.onSecrets(listSecretValues(config, host.env));
  desk.surface.isAnimated &&= config.terminal.animations;
  if (config.terminal.theme !== "auto") desk.look.choose(config.terminal.theme);
  desk.surface.setPainter(desk.look.painter);
  const talk = await openTalk({ options, io, host, clock, desk, config, ending });
  await using conversation = talk.conversation;
  using _following = followThreads({ conversation, desk, libraries: talk.libraries, clock });
  conversation.onEnded((command) =>
    tell(talk, `Ended with the conversation it ran in: ${showHidden(command)}`, "muted"),
  );
  await prepare(talk, options);
  for (const notice of model.notices) tell(talk, notice, "muted");
  void tellSandbox(talk).catch(() => {}); // doctor tells more
  await converse(talk, run);
  return { exitCode: exitCodes.completed, farewell: await bidFarewell(talk) };
}

async function prepare(talk: Talk, options: TerminalOptions): Promise<void> {
  const { desk, conversation, history } = talk;
  const { config } = conversation;
  const prompts = await readPromptCommands(config.codexHome);
  const git = config.projectRoot === null ? null : readGitFacts(config.projectRoot);
  const branch = git?.branch ?? git?.commit?.slice(0, 7) ?? null;
  desk.surface.renderStatus = createStatusRow(talk, branch, readSegments(config));
  desk.change((ui) => ({
    ...ui,
    commands: [...builtInCommands, ...prompts],
    history: [...history.texts, ...ui.history],
  }));
  if (options.from !== undefined) await showPast(talk);
}

/** Until the person leaves. */
async function converse(talk: Talk, { options, io, early }: TalkRun): Promise<void> {
  const { desk, clock, ending, conversation, host } = talk;
  const doings = createDoings(talk);
  const images = await findNamedImages(options.image ?? [], io.cwd);
  const files = createFileIndex({
    folder: () => conversation.config.cwd,
    env: host.env,
    clock,
    signal: ending.signal,
    onMore: offer,
  });
  function offer(): void {
    offerCompletions(desk, files, conversation.config);
  }
  desk.onInput(offer);
  offer();
  desk.onEffect((effect) => doings.take(effect));
  const waiting = desk.surface.ui.waiting;
  desk.change((ui) => ({ ...ui, work: { type: "idle" }, waiting: [] }));
  const { prompt } = options;
  if (prompt !== undefined) doings.say({ text: prompt, images, isShell: false });
  else
    for (const source of images)
      desk.change((ui) => ({ ...ui, composer: attachPiece(ui.composer, { type: "image", source }) }));
  for (const submission of waiting) doings.say(submission);
  for (const effect of early.splice(0)) doings.take(effect);
  await Promise.race([doings.failed, whenAborted(ending.signal)]);
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}

async function bidFarewell({ conversation }: Talk): Promise<readonly string[]> {
  const running = [conversation.thread, ...conversation.leftThreads()].flatMap((thread) =>
    thread.sessions.list().filter(({ isRunning }) => isRunning),
  );
  const ended = running.map(({ command }) => `Ended with the program: ${command}`);
  return [
    ...ended,
    ...((await conversation.isResumable()) ? [`To go on: unroll resume ${conversation.thread.id}`] : []),
  ];
}
