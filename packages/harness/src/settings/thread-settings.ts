import { isDeepStrictEqual } from "node:util";
import { type Approvals, resolveApprovals, tightenApprovals } from "@unroll/approval";
import { type ResolvedConfig, restrictConfig, type ThreadChange, withServedWindow } from "@unroll/config";
import type { RequestTail } from "@unroll/core";
import { type LocalDay, renderEnvironmentChange } from "@unroll/prompt";
import type { ContextWindowUpdatedEvent, MessageItem, Person, ServerFeatures, ThreadNotes } from "@unroll/protocol";
import type { Sandbox, SandboxBounds } from "../sandbox/create-sandbox.ts";
import type { BoundingSettings } from "../sub-agent/thread-bounds.ts";
import { type CurrentSettings, takeUntold, type ToldElsewhere } from "./take-untold.ts";
import { boundConfig, changeWish, createWish, type Wish } from "./wish.ts";

/** The settings of a thread's next call and next request. Read them here each time. */
export interface ThreadSettings extends AsyncDisposable {
  readonly config: ResolvedConfig;
  /** With the policy that was settled when the thread was opened, or when its sandbox or working folder was changed. */
  readonly sandbox: Sandbox;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
  /** When a person approves, and who: the policy as it is where nobody is there for it. */
  readonly approvals: Approvals;
  /** The day on which the turn began that runs or ran last, or else the thread was opened. */
  readonly today: LocalDay;
  requestTail(): RequestTail;
  /** Looks at the calendar: within a turn the day stays the same. */
  beginTurn(): void;
  /** Returns warnings for the user. */
  change(change: ThreadChange): readonly string[];
  /** Another model answers from now on, whose server takes this. Returns what takes that back, but no `change` made since. */
  changeModel(config: ResolvedConfig, takes: () => ServerFeatures): () => void;
  /**
   * Takes the context window, in tokens, that the server of this model uses; from then on the
   * config has it. Read it while the model is chosen: it stays with that model. Returns the event
   * about it; null: it is the same, or another model is chosen by then.
   */
  readonly learnWindow: (servedWindow: number) => ContextWindowUpdatedEvent | null;
  /**
   * Returns the messages that tell the model what differs from the last ones; none if nothing that
   * concerns it changed. Before its first prompt, which says it all, the settings are only noted.
   */
  takeChanges(): readonly MessageItem[];
}

export interface ThreadSettingsOptions {
  readonly config: ResolvedConfig;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
  readonly shellName: string;
  /** The user's local date. */
  readonly findDay: () => LocalDay;
  /** The day of the last request; null: there was none, or its time is not known. */
  readonly lastDay: LocalDay | null;
  /** Remembers the last messages to the model, also over a resume. */
  readonly notes: ThreadNotes;
  /** Messages of another program that ran turns of the thread in between; null: none did. */
  readonly toldElsewhere: ToldElsewhere | null;
  /** The features that the server accepts now. */
  readonly takes: () => ServerFeatures;
  /** Looks at the disk. `within`: the parent's sandbox, whose folders limit this one's; null: none does. */
  readonly openSandbox: (config: ResolvedConfig, within: SandboxBounds | null) => Sandbox;
  /** For a child thread, its parent; null: it has none. */
  readonly opener: Opener | null;
  /** Called with warnings for the user when the parent's settings change these. */
  readonly warn: (message: string) => void;
}

/** A parent whose settings limit these. */
interface Opener {
  readonly settings: BoundingSettings;
  /**
   * Whether sandbox and approvals follow the parent's until they are changed here, because they
   * were not set otherwise.
   */
  readonly isFollowed: boolean;
}

/** The current settings, and what they were made from. */
interface Held {
  readonly config: ResolvedConfig;
  readonly approvals: Approvals;
  readonly sandbox: Sandbox;
  /** The opener's at that time; null: there is none. */
  readonly bounds: Omit<BoundingSettings, "person"> | null;
}

export function createThreadSettings(options: ThreadSettingsOptions): ThreadSettings {
  const { person, shellName, opener } = options;
  const sandboxes = new AsyncDisposableStack();
  let wish = createWish(options.config, opener?.isFollowed === true ? "parent" : "itself");
  const hold = (before: Held | null): Held => createHeld({ ...options, wish, sandboxes }, before);
  let held = hold(null);
  let today = options.findDay();
  /** Nothing but this was changed since it was looked at: it is asked before each request. */
  let told: Pick<Sandbox, "reported"> | null = null;
  let { toldElsewhere } = options;
  let server = createServedConfig(options.takes);

  /** If the parent's permissions changed, so do these. */
  function read(): Held {
    const { bounds, sandbox } = held;
    if (opener === null || isSameBounds(bounds, opener.settings)) return held;
    held = hold(held);
    told = null;
    if (held.sandbox !== sandbox) for (const message of held.sandbox.warnings) options.warn(message);
    return held;
  }

  function change(changed: ThreadChange): readonly string[] {
    const { sandbox } = read();
    wish = changeWish(wish, held.config, changed);
    const isMoved = changed.cwd !== undefined || changed.sandboxSettings !== undefined;
    held = hold(isMoved ? null : held);
    told = null;
    return held.sandbox === sandbox ? [] : held.sandbox.warnings;
  }

  return {
    get config() {
      return server.of(read().config).served;
    },
    get sandbox() {
      return read().sandbox;
    },
    person,
    get approvals() {
      return read().approvals;
    },
    get today() {
      return today;
    },
    requestTail: () => toRequestTail(server.of(read().config).taken),
    beginTurn() {
      today = options.findDay();
      told = null;
    },
    change,
    takeChanges() {
      const now = read();
      const { reported } = now.sandbox;
      if (told?.reported === reported) return [];
      told = { reported };
      const environment = renderEnvironmentChange({ cwd: now.config.cwd, shellName, today });
      const untold = takeUntold(toCurrent(now, environment), { ...options, toldElsewhere });
      toldElsewhere = null;
      return untold;
    },
    changeModel(config, takes) {
      const before = { wish, held, server };
      wish = { ...wish, config, changed: {} };
      server = createServedConfig(takes);
      held = hold(held);
      return () => {
        const { changed } = wish;
        ({ wish, held, server } = before);
        if (Object.keys(changed).length > 0) change(changed);
      };
    },
    get learnWindow() {
      const own = server;
      return (servedWindow: number) => {
        const event = own.learn(servedWindow, read().config);
        return own === server ? event : null;
      };
    },
    [Symbol.asyncDispose]: () => sandboxes.disposeAsync(),
  };
}

function toCurrent({ config, approvals, sandbox }: Held, environment: MessageItem): CurrentSettings {
  return {
    sandboxPolicy: sandbox.policy,
    sandboxReport: sandbox.reported,
    approvalPolicy: approvals.policy,
    configuredPolicy: config.approvalPolicy,
    environment,
  };
}

/** A config as the server of a model has it. */
interface ServedConfig {
  /** The same objects for the same config: others see by that whether it changed. */
  of(config: ResolvedConfig): {
    /** Without what the server does not take by now. */
    readonly taken: ResolvedConfig;
    /** With the context window that it has in force, too. */
    readonly served: ResolvedConfig;
  };
  /** As `ThreadSettings.learnWindow`. */
  learn(servedWindow: number, config: ResolvedConfig): ContextWindowUpdatedEvent | null;
}

function createServedConfig(takes: () => ServerFeatures): ServedConfig {
  let window: number | null = null;
  let last: (ReturnType<ServedConfig["of"]> & { readonly config: ResolvedConfig; readonly by: unknown }) | null = null;

  function of(config: ResolvedConfig): ReturnType<ServedConfig["of"]> {
    const by = takes();
    if (last !== null && last.config === config && last.by === by) return last;
    const taken = config.provider.takes === by ? config : restrictConfig(config, by);
    last = { config, by, taken, served: window === null ? taken : withServedWindow(taken, window) };
    return last;
  }

  return {
    of,
    learn(servedWindow, config) {
      if (servedWindow === window) return null;
      const { contextWindow: was, windowOrigin: wasOrigin } = of(config).served.modelFamily;
      [window, last] = [servedWindow, null];
      const { contextWindow, windowOrigin } = of(config).served.modelFamily;
      if (contextWindow === was && windowOrigin === wasOrigin) return null;
      const replaced = { context_window: was, origin: wasOrigin };
      return { type: "context_window.updated", context_window: contextWindow, origin: windowOrigin, replaced };
    },
  };
}

interface HeldParts extends ThreadSettingsOptions {
  readonly wish: Wish;
  /** Running commands keep the sandbox that they were started in. */
  readonly sandboxes: AsyncDisposableStack;
}

/**
 * `before`: the previous settings, whose sandbox is reused if it has not changed; null: it is
 * resolved again.
 */
function createHeld({ wish, person, opener, sandboxes, openSandbox }: HeldParts, before: Held | null): Held {
  const bounds = opener && toBounds(opener.settings);
  const config = bounds === null ? wish.config : boundConfig(wish, bounds.config);
  const own = resolveApprovals(config, person);
  const approvals = bounds === null ? own : tightenApprovals(own, bounds.approvals);
  const within = bounds?.sandbox ?? null;
  const stays =
    before !== null &&
    before.bounds?.sandbox === bounds?.sandbox &&
    isDeepStrictEqual(before.config.sandboxSettings, config.sandboxSettings);
  return { config, approvals, bounds, sandbox: stays ? before.sandbox : sandboxes.use(openSandbox(config, within)) };
}

function isSameBounds(bounds: Held["bounds"], { config, approvals, sandbox }: BoundingSettings): boolean {
  return bounds?.config === config && bounds.approvals === approvals && bounds.sandbox === sandbox;
}

function toBounds({ config, approvals, sandbox }: BoundingSettings): Held["bounds"] {
  return { config, approvals, sandbox };
}

/**
 * Settings that the model or the server does not take are left out: servers refuse them. An effort goes to a model of which nobody knows whether
 * it reasons.
 */
function toRequestTail(config: ResolvedConfig): RequestTail {
  const { modelFamily: family, reasoningEffort: effort, reasoningContext: context, verbosity } = config;
  const { reasoningSummary: summary } = config;
  const hasSummary =
    summary !== "none" && family.supportsReasoningSummaries && config.provider.takes.reasoningSummaries;
  const reasons = family.supportsReasoning || (family.efforts === null && effort !== null);
  const reasoning = {
    ...(effort === null ? {} : { effort }),
    ...(hasSummary ? { summary } : {}),
    ...(context === null ? {} : { context }),
  };
  return {
    ...(reasons && Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    ...(family.supportsVerbosity && verbosity !== null ? { verbosity } : {}),
  };
}
