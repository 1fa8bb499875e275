import type { ResolvedConfig } from "@unroll/config";
import type { StepGuard } from "@unroll/core";
import type { JournalEntry, Person } from "@unroll/protocol";
import type { BuiltinToolName, CallGate, Tool } from "@unroll/tools";
import type { Budget } from "../guard/budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { OpenedThread } from "../prefix/prefix-break.ts";
import { continueSettings } from "../settings/continue-settings.ts";
import { followBudget } from "../sub-agent/follow-budget.ts";
import { toPerson } from "../to-person.ts";
import type { ThreadOrigin, ThreadPast } from "./open-past.ts";
import type { SharedParts } from "./shared-parts.ts";
import type { ThreadOptions } from "./thread-options.ts";
import type { Thread } from "./thread.ts";

/** What a caller of a harness asks for. */
export interface ThreadRequest {
  readonly origin: ThreadOrigin;
  readonly options: ThreadOptions;
  /** That of the options, whole. */
  readonly config: ResolvedConfig;
  /** Whether the options say nothing of it: what the parent may then is what the thread may. */
  readonly followsParent: boolean;
  /** Disposed behind the thread, once it was opened. Null: nothing is. */
  readonly owner: AsyncDisposable | null;
}

/** All that a thread is opened with: its options, the harness's and what it was before, each settled once. Nothing here is left open. */
export interface SettledThread extends ThreadPast {
  /** With what the thread sent before. */
  readonly config: ResolvedConfig;
  /** How the thread was opened; null: it is a new one. */
  readonly opened: OpenedThread | null;
  /** Null: nobody is asked. */
  readonly person: Person | null;
  readonly tools: readonly Tool[];
  /** Null: all that the config gives. */
  readonly builtins: readonly BuiltinToolName[] | null;
  /** Null: those of the model family and the config. */
  readonly instructions: string | null;
  readonly guards: readonly StepGuard[];
  /** Null: only the limits of the config hold. */
  readonly budget: Budget | null;
  /** Puts the program's gates around the thread's own, those of its parent outermost. */
  readonly wrapGate: (own: CallGate) => CallGate;
  readonly parent: Thread | null;
  readonly followsParent: boolean;
  readonly waitForMcp: boolean;
  readonly allowsBreak: boolean;
  readonly signal: AbortSignal;
}

/** Throws what `continueSettings` throws. */
export function settleThread(shared: SharedParts, request: ThreadRequest, past: ThreadPast): SettledThread {
  const { options, followsParent } = request;
  const { parent = null, gate } = options;
  const { config, warnings } = continueSettings(request.config, past.entries);
  return {
    ...past,
    warnings: [...warnings, ...past.warnings],
    config,
    opened: findOpened(past.entries),
    person: findPerson(options.person, parent?.bounds.settings.person ?? (parent === null ? shared.person : null)),
    tools: options.tools ?? [],
    builtins: options.builtins ?? null,
    instructions: options.instructions ?? null,
    guards: options.guards ?? [],
    // whatever turn the parent is in then
    budget: options.budget ?? (parent && followBudget(() => parent.budget, createClock(shared.host))),
    wrapGate(own) {
      const wrapped = gate?.(own) ?? own;
      return parent?.bounds.wrapGate(wrapped) ?? wrapped;
    },
    parent,
    followsParent,
    waitForMcp: options.waitForMcp ?? false,
    allowsBreak: options.allowPrefixBreak ?? false,
    signal: options.signal ?? new AbortController().signal,
  };
}

function findPerson(own: ThreadRequest["options"]["person"], others: Person | null): Person | null {
  if (own === undefined) return others;
  return own === null ? null : toPerson(own);
}

function findOpened(entries: readonly JournalEntry[]): OpenedThread | null {
  return entries.findLast((entry) => entry.type === "thread.opened") ?? null;
}
