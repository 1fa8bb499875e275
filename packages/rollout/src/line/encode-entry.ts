import { isDeepStrictEqual } from "node:util";
import type { GitFacts } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import {
  type CompletedRequest,
  encodeJournalEntry,
  type JournalEntry,
  type RecordedSettings,
  type SandboxLimits,
  type ThreadMeta,
  type TurnOutcome,
} from "@unroll/protocol";
import { createHeldEntries } from "./held-entries.ts";
import { createLastSaid } from "./last-said.ts";
import { type LineOpening, toEpochLine, toItemLine, toLine } from "./line-bytes.ts";
import { createSentTexts, type Packed } from "./shown-ranges.ts";
import { createToldEvents } from "./told-events.ts";
import type { TurnMoment } from "./told-items.ts";
import { createUsageCounts } from "./usage-counts.ts";

/** Journal entries as the lines of a file. */
export interface EntryEncoder {
  /** The lines of one entry, each with its end, in the order of the file. */
  encode(entry: JournalEntry): readonly Uint8Array[];
}

export interface EntryEncoderOptions {
  /** For the first line; null for a file that has one. */
  readonly meta: KeptMeta | null;
  readonly clock: Pick<Clock, "now">;
  /** The entries that the file already has. */
  readonly before: readonly JournalEntry[];
  /** Null: the lines of the file have no ordinals. */
  readonly numbering: Numbering | null;
}

/** How the lines of a file that Codex CLI 0.169 started are numbered. */
export interface Numbering {
  readonly threadId: string;
  /** The ordinal of the next line; null: it has none. */
  next: number | null;
}

interface KeptMeta extends ThreadMeta {
  /** How many turns of the thread that it is a copy of it starts with. */
  readonly forkedTurns: number;
  /** Null: the folder is in no repository. */
  readonly git: GitFacts | null;
}

type ThreadOpened = Extract<JournalEntry, { readonly type: "thread.opened" }>;
type TurnEnded = Extract<JournalEntry, { readonly type: "turn.ended" }>;

/**
 * Items are written as the bytes that are sent. Lines for other programs, too, have their type names (`session_meta`,
 * `response_item`, `turn_context`, `event_msg`, `compacted`). Lines for us alone have the type `unroll`, which others
 * skip.
 */
export function createEntryEncoder({ meta, clock, before, numbering }: EntryEncoderOptions): EntryEncoder {
  let settings: RecordedSettings | null = null;
  const counts = createUsageCounts(before);
  const lastSaid = createLastSaid();
  const texts = createSentTexts();
  const held = createHeldEntries();
  const told = createToldEvents(numbering?.threadId ?? null);
  /** Null: outside a turn. Items there were copied from another thread, so other programs get no events for them. */
  let turnId: string | null = null;
  let isBegun = meta === null;
  const begin = (type: string, at = clock.now()): LineOpening => beginLine(type, at, numbering);
  const line = (type: string, payload: object, at?: number): Uint8Array =>
    toLine(begin(type, at), JSON.stringify(payload));
  const tell = (events: readonly object[]): readonly Uint8Array[] => events.map((event) => line("event_msg", event));
  const tellInTurn = (list: (turn: TurnMoment) => readonly object[]): readonly Uint8Array[] =>
    turnId === null ? [] : tell(list({ turnId, now: clock.now() }));

  function open(opened: ThreadOpened): readonly Uint8Array[] {
    if (isBegun || meta === null) return [line("unroll", toHead(opened))];
    isBegun = true;
    return [line("session_meta", toMeta(meta, opened, clock.now()))];
  }

  /** Settings at the opening are written with the next turn; a change between turns is written at once. */
  function changeSettings(next: RecordedSettings): readonly Uint8Array[] {
    const isChange = isBegun && settings !== null && !isDeepStrictEqual(settings, next);
    settings = next;
    if (turnId !== null) return [line("turn_context", toTurnContext(turnId, next))];
    return isChange ? [line("unroll", { type: "settings", ...toSettings(next) })] : [];
  }

  function encode(entry: JournalEntry): readonly Uint8Array[] {
    lastSaid.read(entry);
    if (entry.type === "item") texts.read(entry.item.item);
    const count = counts.read(entry);
    const counted = count === null ? [] : [line("event_msg", count)];
    switch (entry.type) {
      case "thread.opened":
        return open(entry);
      case "settings":
        return changeSettings(entry.settings);
      case "item":
        return [
          toItemLine(entry.item, begin("response_item")),
          ...tellInTurn((turn) => told.tell(entry.item.item, turn)),
        ];
      case "request":
        return [line("unroll", toRequest(entry.request)), ...counted];
      case "usage.counted":
        return counted;
      case "item.ended":
        return [
          ...tellInTurn((turn) => told.show(entry.item, turn)),
          line("unroll", { type: "item.ended", ...toShown("item", texts.pack(entry.item)) }),
        ];
      case "told":
        return [line("unroll", { type: "told", ...toShown("event", texts.pack(entry.event)) })];
      case "thread.rewound":
        return [line("unroll", { type: "thread.rewound", turn_id: entry.turnId })];
      case "epoch":
        return [toEpochLine(entry, begin("compacted"))];
      case "epoch.undone":
      case "agent.started":
      case "note":
      case "call.asked":
      case "call.started":
        return [toLine(begin("unroll"), encodeJournalEntry(entry))];
      case "turn.started":
        ({ turnId } = entry);
        return [
          line("unroll", { type: "turn.started", turn_id: turnId, has_shown: true }, entry.at),
          ...tell(told.begin({ turnId, now: entry.at ?? clock.now() })),
          ...(settings === null ? [] : [line("turn_context", toTurnContext(turnId, settings))]),
        ];
      case "items.reserved":
        return [line("unroll", { type: "items.reserved", next_item: entry.nextItem })];
      case "turn.ended": {
        turnId = null;
        const shown = tell(told.end(entry.outcome, { turnId: entry.turnId, now: entry.at ?? clock.now() }));
        return [...counted, ...shown, line("unroll", toEndedTurn(entry, lastSaid.text), entry.at)];
      }
    }
  }

  return { encode: (entry) => held.take(entry).flatMap(encode) };
}

/** The Codex CLI does not count lines for unroll alone. */
function beginLine(type: string, now: number, numbering: Numbering | null): LineOpening {
  const ordinal = numbering === null || type === "unroll" ? null : numbering.next;
  if (numbering !== null && ordinal !== null) numbering.next = ordinal + 1;
  return { type, now, ordinal };
}

function toHead({ model, provider, head, form }: ThreadOpened): object {
  return { type: "head", model, model_provider: provider, ...(form && { form }), head: toText(head) };
}

function toText(head: ThreadOpened["head"]): string | null {
  return head === null ? null : new TextDecoder().decode(head.bytes);
}

function toShown(key: string, { shown, ranges }: Packed<object>): object {
  return { [key]: shown, ...(ranges.length > 0 && { ranges }) };
}

/** Short fields first: a list of threads reads no further. */
function toMeta(meta: KeptMeta, { threadId, model, provider, form, head }: ThreadOpened, now: number): object {
  const [, originator = meta.userAgent, version = ""] = /^([^/\s]+)(?:\/(\S+))?/.exec(meta.userAgent) ?? [];
  const instructions = head?.instructions ?? null;
  return {
    id: threadId,
    timestamp: new Date(now).toISOString(),
    cwd: meta.cwd,
    originator,
    cli_version: version === "" ? "0.0.0" : version,
    source: toSource(meta, originator),
    model_provider: provider,
    model,
    ...(meta.forkedFrom === null ? {} : { forked_from_id: meta.forkedFrom, forked_turns: meta.forkedTurns }),
    ...(meta.git === null ? {} : { git: toGit(meta.git) }),
    ...(form === undefined ? {} : { form }),
    base_instructions: instructions === null ? null : { text: instructions },
    head: toText(head),
  };
}

/** As the Codex CLI writes it. */
function toSource({ parent }: KeptMeta, originator: string): unknown {
  if (parent === undefined) return originator.endsWith("_exec") ? "exec" : "cli";
  return { subagent: { thread_spawn: { parent_thread_id: parent.threadId, depth: parent.depth } } };
}

/** As the Codex CLI writes it: what is not known is left out. */
function toGit({ commit, branch, repository }: GitFacts): object {
  return {
    ...(commit === null ? {} : { commit_hash: commit }),
    ...(branch === null ? {} : { branch }),
    ...(repository === null ? {} : { repository_url: repository }),
  };
}

function toTurnContext(turnId: string, settings: RecordedSettings): object {
  return { turn_id: turnId, ...toSettings(settings) };
}

/** In the words of the Codex CLI. */
function toSettings(settings: RecordedSettings): object {
  const { sandboxMode: type, workspace } = settings;
  return {
    cwd: settings.cwd,
    approval_policy: settings.approvalPolicy,
    sandbox_policy: {
      type,
      ...(workspace && { writable_roots: workspace.writableRoots, network_access: workspace.networkAccess }),
    },
    ...(settings.limits === undefined ? {} : { sandbox_limits: toLimits(settings.limits) }),
    ...(settings.permissionProfile === undefined ? {} : { permission_profile_name: settings.permissionProfile }),
    model: settings.model,
    effort: settings.reasoningEffort,
    summary: settings.reasoningSummary,
    ...(settings.verbosity === undefined ? {} : { verbosity: settings.verbosity }),
    ...(settings.reasoningContext === undefined ? {} : { reasoning_context: settings.reasoningContext }),
    ...(settings.account === undefined ? {} : { account: settings.account }),
  };
}

function toLimits({ denyRead, closedRoots, excludeSlashTmp, excludeTmpdirEnvVar, git }: SandboxLimits): object {
  const paths = { deny_read: denyRead, closed_roots: closedRoots };
  return { ...paths, exclude_slash_tmp: excludeSlashTmp, exclude_tmpdir_env_var: excludeTmpdirEnvVar, git };
}

function toRequest(request: CompletedRequest): object {
  const { responseId, model, provider, serviceTier, sentAt, usage, cache, isBeside, isInherited } = request;
  const sentTo = { model, model_provider: provider, service_tier: serviceTier };
  const flags = { is_beside: isBeside, is_inherited: isInherited };
  return { type: "request", response_id: responseId, ...sentTo, sent_at: sentAt, usage, cache, ...flags };
}

function toEndedTurn({ turnId, outcome, nextItem }: TurnEnded, lastSaid: string | null): object {
  return { type: "turn.ended", turn_id: turnId, outcome: toOutcome(outcome, lastSaid), next_item: nextItem };
}

/** The final message is in the file once, as its item. */
function toOutcome(outcome: TurnOutcome, lastSaid: string | null): object {
  if (outcome.type !== "completed" || lastSaid === null || outcome.finalMessage !== lastSaid) return outcome;
  const { finalMessage: _, ...rest } = outcome;
  return rest;
}
