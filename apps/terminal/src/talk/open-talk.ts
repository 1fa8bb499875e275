import { type Libraries, loadLibraries, toDialogPages } from "@unroll/cells";
import type { ResolvedConfig } from "@unroll/config";
import type { Clock } from "@unroll/flow";
import type { HostEnvironment } from "@unroll/harness";
import {
  createPlanGate,
  findLastThread,
  findNamedThread,
  openProgramStore,
  type ProcessIo,
  toUserAgent,
} from "@unroll/program";
import { refusalOf, type Person, type ThreadStore } from "@unroll/protocol";
import type { ThreadOrigin } from "../conversation/conversation.ts";
import { createOwnModel, type OwnModel, type OwnModelWish } from "../conversation/own-model.ts";
import { openConversation } from "../conversation/open-conversation.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Desk } from "../desk/create-desk.ts";
import { createQuestionFlow } from "../dialog/question-flow.ts";
import { openHistory } from "../input/history.ts";

import { createPlanMode } from "../plan-mode.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import { call } from "./call-person.ts";
import type { Talk } from "./talk.ts";

export interface TalkOptions {
  readonly options: TerminalOptions;
  readonly io: ProcessIo;
  readonly host: HostEnvironment;
  readonly clock: Clock;
  readonly desk: Desk;
  readonly config: ResolvedConfig;
  readonly ending: AbortController;
}

/** Opens the conversation with all that is around it. Closed by closing its conversation. */
export async function openTalk(parts: TalkOptions): Promise<Talk> {
  const { desk, config, io, ending, clock } = parts;
  const host = { ...parts.host, cwd: config.cwd };
  const libraries = await loadLibraries(() => desk.surface.loop.request());
  const plan = { isOn: false };
  const held: { conversation: Conversation | null } = { conversation: null };
  const ownModel = createOwnModel(parts.options, host);
  const person = createPerson({ ...parts, wish: ownModel.wish }, libraries, held);
  const conversation = await open(parts, { host, plan, person, ownModel });
  held.conversation = conversation;
  const { listSecretValues } = await import("@unroll/config");
  const history = await openHistory({
    codexHome: config.codexHome,
    isKept: isKept(parts),
    threadId: () => conversation.thread.id,
    clock,
    secrets: listSecretValues(config, host.env),
  });
  const planMode = createPlanMode(() => conversation, plan);
  return {
    io,
    host,
    flags: parts.options,
    clock,
    desk,
    conversation,
    libraries,
    plan: planMode,
    history,
    ending,
    stopWork: null,
    shownItems: 0,
  };
}

function isKept({ options, config }: Pick<TalkOptions, "options" | "config">): boolean {
  return config.historyPersistence === "save-all" && options.ephemeral !== true;
}

/** Text that comes is shown no more often. */
const deltaGapMs = 50;

interface ThreadParts {
  readonly host: HostEnvironment;
  readonly plan: { readonly isOn: boolean };
  readonly person: Person;
  readonly ownModel: OwnModel;
}

async function open(
  { options, io, config, ending }: TalkOptions,
  { host, plan, person, ownModel }: ThreadParts,
): Promise<Conversation> {
  const named = options.from ?? null;
  const store = isKept({ options, config }) || named !== null ? await openProgramStore(config.codexHome, io) : null;
  return openConversation({
    harness: {
      host,
      config,
      userAgent: toUserAgent("unroll", host),
      person,
      ignoreRules: options.ignoreRules ?? false,
      deltaGapMs,
    },
    thread: {
      gate: (own) => createPlanGate(own, () => plan.isOn),
      waitForMcp: options.waitMcp ?? false,
      signal: ending.signal,
      ...(options.allowCacheBreak === true && { allowPrefixBreak: true }),
    },
    store,
    ownModel,
    origin: store === null || named === null ? { type: "new" } : await toOrigin(named, config, store),
  });
}

async function toOrigin(
  { name, all, copiedTurns }: NonNullable<TerminalOptions["from"]>,
  { cwd }: ResolvedConfig,
  store: ThreadStore,
): Promise<ThreadOrigin> {
  if (copiedTurns === null) return { type: "resume", id: await findNamedThread(store, { name, cwd, all }) };
  // the copy is begun from it more than once: what is the last one by then may be another
  const id = name === "last" ? (await findLastThread(store, { cwd, all })).threadId : name;
  return { type: "fork", id, turns: copiedTurns === "all" ? null : copiedTurns };
}

/** Questions come one behind the other, and each is shown whole. */
function createPerson(
  { desk, config, io, wish }: TalkOptions & { readonly wish: OwnModelWish },
  libraries: Libraries,
  held: { readonly conversation: Conversation | null },
): Person {
  return {
    async answer(question, signal) {
      const columns = desk.surface.screen.size().columns - 1;
      const cells = { libraries, columns, cwd: config.cwd, reasoning: "shown", detail: "whole", more: "" } as const;
      const pages = toDialogPages(question, cells);
      const { conversation } = held;
      const [first] = pages;
      if (conversation !== null)
        call(
          { conversation, desk, io },
          { type: "approval-requested", message: first?.title ?? "A question", isLong: true },
        );
      const said = await desk.ask(createQuestionFlow(question, pages), signal);
      if (said.type !== "own_model") return said;
      wish.say(said.opened);
      return refusalOf(question);
    },
  };
}
