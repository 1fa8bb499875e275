import type { ResolvedConfig } from "@unroll/config";
import type { JournalEntry, Person, ThreadRole, ThreadWorktree } from "@unroll/protocol";
import type { AfterCall } from "@unroll/tools";
import { settleRole } from "../agents/agent-roles.ts";
import { HarnessError } from "../harness-error.ts";
import { createClock } from "../host/create-clock.ts";
import { checkTools } from "../check-options.ts";
import { findOpened } from "../cache-break.ts";
import { continueSettings } from "../settings/continue-settings.ts";
import { type AgentTree, createAgentTree } from "../sub-agent/agent-tree.ts";
import { followBudget } from "../sub-agent/follow-budget.ts";
import { toPerson } from "../to-person.ts";
import type { ThreadOrigin } from "./open-past.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadOptions } from "./thread-options.ts";
import type { Thread } from "./thread.ts";
import { readNote } from "../base/parse-note.ts";
import type { OwnParts, ThreadPast } from "../base/thread-base.ts";

/** A caller's request for a thread. */
export interface ThreadRequest {
  readonly origin: ThreadOrigin;
  readonly options: ThreadOptions;
  /** The whole config of the options. */
  readonly config: ResolvedConfig;
  /** Whether the options say nothing of it: what the parent may then is what the thread may. */
  readonly followsParent: boolean;
  /** The names of its only tools. Absent: all that the options give. */
  readonly only?: readonly string[] | null;
  /** The names of tools that it does not get. Absent: none. */
  readonly without?: readonly string[];
  /** As of `OwnParts`. Absent: none. */
  readonly role?: ThreadRole;
  /** Absent: it has none, or the one that is saved with it. */
  readonly worktree?: ThreadWorktree;
  /** Disposed behind the thread, once it was opened. Null: nothing is. */
  readonly owner: AsyncDisposable | null;
}

/** A thread that is about to be opened. */
export interface SettledThread extends OwnParts {
  /** To be called when the thread is there: its tools may ask for it from then on. */
  readonly onOpened: (thread: Thread) => void;
  readonly parent: Thread | null;
  readonly followsParent: boolean;
}

/** Throws what `continueSettings` throws. */
export function settleThread(shared: SharedParts, request: ThreadRequest, past: ThreadPast): SettledThread {
  const { options, followsParent } = request;
  const { parent = null, gate, runner, tools = [] } = options;
  const { config, warnings } = continueSettings(request.config, past.entries);
  const noted = readNote(past.entries, "parent");
  const role = request.role ?? noted?.role ?? null;
  return {
    ...past,
    warnings: [...warnings, ...past.warnings],
    config: role === null ? config : instruct(config, role),
    role,
    worktree: request.worktree ?? noted?.worktree ?? null,
    agents: options.agents === undefined ? null : options.agents.map(settleRole),
    opened: findOpened(past.entries),
    person: findPerson(options.person, parent?.bounds.settings.person ?? (parent === null ? shared.person : null)),
    ...settleTools(tools),
    builtins: options.builtins ?? null,
    instructions: options.instructions ?? null,
    guards: options.guards ?? [],
    // whatever turn the parent is in then
    budget: options.budget ?? (parent && followBudget(() => parent.budget, createClock(shared.host))),
    wrapGate(own) {
      const wrapped = gate?.(own) ?? own;
      return parent?.bounds.wrapGate(wrapped) ?? wrapped;
    },
    wrapRunner(own) {
      const wrapped = runner?.(own) ?? own;
      return parent?.bounds.wrapRunner(wrapped) ?? wrapped;
    },
    tree: findTree(parent, past.entries),
    only: meetNames(request.only ?? noted?.tools ?? null, parent?.bounds.only ?? null),
    without: [...(request.without ?? noted?.withoutTools ?? []), ...(parent?.bounds.without ?? [])],
    afterCall: joinAfterCalls(options.afterCall ?? null, parent?.bounds.afterCall ?? null),
    parent,
    followsParent,
    waitForMcp: options.waitForMcp ?? false,
    reportsSandbox: options.reportSandbox ?? false,
    cacheShard: options.cacheShard ?? null,
    allowsBreak: options.allowCacheBreak ?? false,
    signal: options.signal ?? new AbortController().signal,
  };
}

/** The depth of a sub-agent's thread is saved with it: without its parent, it is as deep as before. */
function findTree(parent: Thread | null, entries: readonly JournalEntry[]): AgentTree {
  const above = parent?.bounds.tree;
  if (above !== undefined) return { depth: above.depth + 1, count: above.count };
  return { ...createAgentTree(), depth: readNote(entries, "parent")?.depth ?? 0 };
}

/** The instructions of its role come behind those of the config. */
function instruct(config: ResolvedConfig, { instructions }: ThreadRole): ResolvedConfig {
  const told = [config.developerInstructions?.trim() ?? "", instructions ?? ""].filter((text) => text !== "");
  return told.length === 0 ? config : { ...config, developerInstructions: told.join("\n\n") };
}

export function meetNames(own: readonly string[] | null, above: readonly string[] | null): readonly string[] | null {
  return own === null || above === null ? (own ?? above) : own.filter((name) => above.includes(name));
}

function settleTools(tools: NonNullable<ThreadOptions["tools"]>): Pick<SettledThread, "tools" | "onOpened"> {
  let opened: Thread | null = null;
  const thread = (): Thread => {
    if (opened !== null) return opened;
    throw new HarnessError("invalid_options", "tools: the thread is not open yet. Ask for it when a tool runs.");
  };
  const listed = typeof tools === "function" ? tools(thread) : tools;
  if (!Array.isArray(listed)) throw new HarnessError("invalid_options", "tools: tools has to be a list.");
  checkTools("tools", listed);
  return { tools: listed, onOpened: (it) => void (opened = it) };
}

/** The second sees what the first made of a result. */
function joinAfterCalls(first: AfterCall | null, second: AfterCall | null): AfterCall | null {
  if (first === null || second === null) return first ?? second;
  return async (call, context) => {
    const replaced = await first(call, context);
    const again = await second({ ...call, ...(replaced && { output: replaced.output }) }, context);
    if (replaced === null || again === null) return again ?? replaced;
    return { output: again.output, reason: `${replaced.reason} ${again.reason}` };
  };
}

function findPerson(own: ThreadRequest["options"]["person"], others: Person | null): Person | null {
  if (own === undefined) return others;
  return own === null ? null : toPerson(own);
}
