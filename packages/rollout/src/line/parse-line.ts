import {
  type CompletedRequest,
  approvalPolicies,
  type JournalEntry,
  isFields,
  isThreadItem,
  noTokenUsage,
  type JsonFields,
  parseRequestHead,
  parseSentItem,
  type RecordedSettings,
  type SandboxLimits,
  type RequestForm,
  sandboxModes,
  type TurnOutcome,
  type ItemStatus,
  type StoredEvent,
  parseEntryData,
  parseFields,
  toFields,
  type TokenUsage,
} from "@unroll/protocol";
import { parseTask, type TaskLine } from "./parse-task.ts";
import { parseToldCall, type ToldCall } from "./parse-told-call.ts";
import { parseUsage } from "./parse-usage.ts";
import type { Packed } from "./shown-ranges.ts";

/** How a call ended, as unroll 0.1 wrote it down: a line of its own, without the item. */
export interface EndedCall {
  readonly callId: string;
  readonly status: Exclude<ItemStatus, "in_progress">;
  /** A command's exit code. Null: the call is not a command, or was stopped, or never ran. */
  readonly exitCode: number | null;
  /** Null: there is none. */
  readonly reason: string | null;
}

/** The content of a line: an entry, nothing that we need (`skipped`), or nothing that can be read. */
export type ParsedLine =
  | { readonly type: "entry"; readonly entry: JournalEntry }
  /** A turn ended, with what the model said last in it. */
  | { readonly type: "completed"; readonly entry: CompletedTurn }
  /** Another program began an epoch, and says of it only this. */
  | { readonly type: "summary"; readonly summary: string }
  /** An item as it was shown, or an event that was; its texts may be elsewhere in the file. */
  | { readonly type: "shown"; readonly kind: "item.ended" | "told"; readonly packed: Packed<unknown> }
  /** `hasShown`: what was shown in the turn is kept. */
  | {
      readonly type: "turn";
      readonly entry: Extract<JournalEntry, { readonly type: "turn.started" }>;
      readonly hasShown: boolean;
    }
  /** A turn of the Codex CLI began or ended. Turns of ours have such lines, too. */
  | { readonly type: "task"; readonly task: TaskLine }
  /** A call of the Codex CLI ended, as it told programs. Calls of ours have such lines, too. */
  | { readonly type: "told_call"; readonly told: ToldCall }
  /** As unroll 0.1 wrote down how a call ended. */
  | { readonly type: "ended_call"; readonly ended: EndedCall }
  /** The usage of the thread so far, by a `token_count`. */
  | { readonly type: "counted"; readonly usage: TokenUsage }
  | { readonly type: "skipped" }
  /** Names of the format that a version must know to resume the thread, as a newer version wrote them. */
  | { readonly type: "needs"; readonly unknown: readonly string[] }
  /** An invalid request head: no request can begin with it. */
  | { readonly type: "damaged_head" }
  | { readonly type: "unreadable" };

type Completed = Extract<TurnOutcome, { readonly type: "completed" }>;
type CompletedTurn = Omit<Extract<JournalEntry, { readonly type: "turn.ended" }>, "outcome"> & {
  readonly outcome: Omit<Completed, "finalMessage">;
};
type ThreadOpened = Extract<JournalEntry, { readonly type: "thread.opened" }>;

const skipped: ParsedLine = { type: "skipped" };
const unreadable: ParsedLine = { type: "unreadable" };
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
/** A slice of damaged lengths may cut a character. Then it is not JSON, either. */
const sliceDecoder = new TextDecoder();
/** How our lines begin, and those of the Codex CLI. */
const opening = /^\{"timestamp":"[^"]*","type":"([a-z_]+)",(?:"ordinal":\d+,)?(?:"author":(\{[^{}]*\}),)?"payload":/;
const longestOpening = 384;
const needed =
  /^\{"type":"(?:(?:task|turn)_|token_count"|patch_apply_end"|item_completed",(?:"[a-z_]+":"[^"]*",)*"item":\{"type":"(?:FileChange|CommandExecution)")/;

/** `line`: without its end. Items keep the text that they have in it. Other types of lines, and other fields than these, are skipped. */
export function parseLine(line: Uint8Array): ParsedLine {
  try {
    return parseSliced(line) ?? parseWhole(line);
  } catch {
    return unreadable;
  }
}

/** Parses the payload alone, where it comes last. Null: something comes after it, as in a few lines. */
function parseSliced(line: Uint8Array): ParsedLine | null {
  const latin = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, longestOpening)).toString("latin1");
  const found = opening.exec(latin);
  if (found === null) return null;
  const [{ length }, type = "", author = "{}"] = found;
  if (type === "event_msg" && !needed.test(latin.slice(length))) return skipped;
  const text = decoder.decode(line.subarray(length, -1));
  if (type === "response_item") return toItem({ item: text, author: parseFields(author) });
  const payload = parseFields(text);
  return payload && toParsed(type, payload, line);
}

function parseWhole(line: Uint8Array): ParsedLine {
  const whole = parseFields(decoder.decode(line));
  if (whole === null) return unreadable;
  const { type, payload, original } = whole;
  if (typeof type !== "string" || !isFields(payload)) return skipped;
  if (type !== "response_item") return toParsed(type, payload, line);
  return toItem({ ...whole, item: original }) ?? toItem({ ...whole, item: JSON.stringify(payload) }) ?? unreadable;
}

/** Null: the text is not an object. */
function toItem(stored: JsonFields): ParsedLine | null {
  const sent = parseSentItem(stored);
  if (sent === null) return null;
  const { item } = sent;
  // the Codex CLI keeps it for itself
  if (item.type === "unknown" && item.itemType === "ghost_snapshot") return skipped;
  return { type: "entry", entry: { type: "item", item: sent } };
}

function toParsed(type: string, payload: JsonFields, line: Uint8Array): ParsedLine {
  switch (type) {
    case "session_meta":
      return toOwn({ ...payload, type: "meta" });
    case "unroll":
      return toOwn(payload);
    case "compacted":
      return toEpoch(payload, line);
    case "turn_context":
      return toSettings(payload);
    case "event_msg": {
      if (payload["type"] === "token_count") return toCounted(payload);
      const task = parseTask(payload);
      if (task !== null) return { type: "task", task };
      const told = parseToldCall(payload);
      return told === null ? skipped : { type: "told_call", told };
    }
  }
  return skipped;
}

function toCounted({ info }: JsonFields): ParsedLine {
  const usage = parseUsage(toFields(info)["total_token_usage"]);
  return usage === null ? skipped : { type: "counted", usage };
}

/** Settings in the words of a later version or another program are ignored; a resumed thread does not use them. */
function toSettings(payload: JsonFields): ParsedLine {
  const { cwd, model, approval_policy: approvalPolicy, sandbox_policy: policy, effort, summary } = payload;
  const { verbosity, reasoning_context: reasoningContext, account } = payload;
  const { permission_profile_name: permissionProfile, sandbox_limits: limits } = payload;
  const sandbox = isFields(policy) ? policy : {};
  const { type: sandboxMode, writable_roots: writableRoots, network_access: networkAccess } = sandbox;
  const isKnown = typeof cwd === "string" && typeof model === "string" && isOneOf(approvalPolicies, approvalPolicy);
  if (!isKnown || !isOneOf(sandboxModes, sandboxMode)) return skipped;
  const sent = {
    reasoningEffort: typeof effort === "string" ? effort : null,
    reasoningSummary: summary ?? "auto",
    ...(isFields(limits) && { limits: toLimits(limits) }),
    ...(typeof permissionProfile === "string" && { permissionProfile }),
    ...(isOneOf(verbosities, verbosity) && { verbosity }),
    ...(isOneOf(reasoningContexts, reasoningContext) && { reasoningContext }),
    ...(typeof account === "string" && { account }),
  };
  const hasWorkspace =
    sandboxMode === "workspace-write" && isTexts(writableRoots) && typeof networkAccess === "boolean";
  const workspace = hasWorkspace ? { workspace: { writableRoots, networkAccess } } : {};
  const settings = { cwd, model, approvalPolicy, sandboxMode, ...workspace, ...sent } as RecordedSettings;
  return { type: "entry", entry: { type: "settings", settings } };
}

function toLimits(limits: JsonFields): SandboxLimits {
  const { deny_read: denyRead, closed_roots: closedRoots, git } = limits;
  const { exclude_slash_tmp: slash, exclude_tmpdir_env_var: own } = limits;
  return {
    ...(isTexts(denyRead) && { denyRead }),
    ...(isTexts(closedRoots) && { closedRoots }),
    ...(slash === true && { excludeSlashTmp: true }),
    ...(own === true && { excludeTmpdirEnvVar: true }),
    ...(git === "protected" && { git }),
  };
}

const storedEvents: readonly unknown[] = [
  "item.updated",
  "question.asked",
  "question.answered",
  "compaction.started",
  "compaction.completed",
  "epoch.opened",
  "host.allowed",
  "host.denied",
  "host.closed",
] satisfies readonly StoredEvent["type"][];
const verbosities: readonly unknown[] = ["low", "medium", "high", null];
const reasoningContexts: readonly unknown[] = ["auto", "all_turns", "current_turn", null];

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isOneOf(names: readonly unknown[], value: unknown): boolean {
  return names.includes(value);
}

function toOwn(payload: JsonFields): ParsedLine {
  switch (payload["type"]) {
    case "meta":
    case "head": {
      const { head } = payload;
      const [threadId, model, provider] = ["id", "model", "model_provider"].map((key) => toText(payload[key]));
      const sent = typeof head === "string" ? parseRequestHead(encoder.encode(head)) : null;
      if (typeof head === "string" && sent === null) return { type: "damaged_head" };
      const form = isForm(payload["form"]) ? { form: payload["form"] } : {};
      const opened = { threadId, model, provider, head: sent, ...form } as Omit<ThreadOpened, "type">;
      return { type: "entry", entry: { type: "thread.opened", ...opened } };
    }
    case "settings":
      return toSettings(payload);
    case "agent.started":
    case "note":
    case "call.asked":
    case "call.started":
    case "epoch.undone": {
      const entry = parseEntryData(payload);
      return entry === null ? unreadable : { type: "entry", entry };
    }
    case "request": {
      const request = toRequest(payload);
      return request === null ? unreadable : { type: "entry", entry: { type: "request", request } };
    }
    case "call.ended":
      return toEndedCall(payload);
    case "item.ended": {
      const { item: shown, ranges = [] } = payload;
      return { type: "shown", kind: "item.ended", packed: { shown, ranges } as Packed<unknown> };
    }
    case "told": {
      const { event: shown, ranges = [] } = payload;
      if (!isFields(shown) || !storedEvents.includes(shown["type"])) return skipped;
      return { type: "shown", kind: "told", packed: { shown, ranges } as Packed<unknown> };
    }
    case "thread.rewound":
      return { type: "entry", entry: { type: "thread.rewound", turnId: String(payload["turn_id"]) } };
    case "needs": {
      const { names } = payload;
      return { type: "needs", unknown: Array.isArray(names) ? names.map(String) : ["needs"] }; // this version knows none
    }
    case "turn.started":
      return {
        type: "turn",
        entry: { type: "turn.started", turnId: String(payload["turn_id"]) },
        hasShown: payload["has_shown"] === true,
      };
    case "items.reserved":
      return { type: "entry", entry: { type: "items.reserved", nextItem: Number(payload["next_item"]) } };
    case "turn.ended": {
      const ended = { type: "turn.ended", turnId: String(payload["turn_id"]) } as const;
      const nextItem = Number(payload["next_item"]);
      const stored = toFields(payload["outcome"]);
      const usage = parseUsage(stored["usage"]) ?? noTokenUsage; // a damaged line may have lost it
      const outcome = { ...stored, usage } as TurnOutcome | CompletedTurn["outcome"];
      return outcome.type === "completed" && !("finalMessage" in outcome)
        ? { type: "completed", entry: { ...ended, outcome, nextItem } }
        : { type: "entry", entry: { ...ended, outcome, nextItem } };
    }
  }
  return skipped;
}

/** The entry of a line of type `shown`, with all its texts. Null: it is not an item. */
export function parseShownEntry(kind: "item.ended" | "told", shown: unknown): JournalEntry | null {
  if (kind === "item.ended") return isThreadItem(shown) ? { type: kind, item: shown } : null;
  const event = shown as StoredEvent;
  return event.type === "item.updated" && !isThreadItem(event.item) ? null : { type: kind, event };
}

/** Null: its counts are damaged. The `token_count` behind it then adds its usage (`usage.counted`). */
function toRequest(payload: JsonFields): CompletedRequest | null {
  const { response_id: responseId, model, model_provider: provider, service_tier: serviceTier } = payload;
  const { sent_at: sentAt, usage, cache, is_beside: isBeside, is_inherited: isInherited } = payload;
  const told = { responseId, model, provider, serviceTier, sentAt, usage, cache, isBeside, isInherited };
  const request = told as CompletedRequest;
  const isCounted = usage === null || hasNumbers(toFields(usage), Object.keys(noTokenUsage));
  if (!isCounted || !isFields(cache) || !isCache(cache)) return null;
  if ("cache_write_tokens" in cache) return request;
  return { ...request, cache: { ...request.cache, cache_write_tokens: guessWritten(request) } };
}

/** An older version did not write `cache_write_tokens`. */
function isCache(cache: JsonFields): boolean {
  const { cached_tokens: cached, cache_write_tokens: written = null, idle_ms: idle, miss } = cache;
  const isKnown = [cached, written, idle].every((value) => value === null || typeof value === "number");
  const isMiss = miss === null || typeof toFields(miss)["cause"] === "string";
  return isKnown && isMiss && hasNumbers(cache, ["prefix_bytes", "shared_bytes", "shared_tokens"]);
}

function hasNumbers(fields: JsonFields, keys: readonly string[]): boolean {
  return keys.every((key) => typeof fields[key] === "number");
}

/** For an older version, which wrote 0 even if the server had reported nothing. */
function guessWritten({ usage }: CompletedRequest): number | null {
  const counted = usage?.cache_write_input_tokens ?? 0;
  return counted > 0 ? counted : null;
}

const statuses: readonly EndedCall["status"][] = ["completed", "failed", "declined"];

/** Unknown values are ignored, as with settings. */
function toEndedCall({ call_id: callId, status, exit_code: exitCode, reason }: JsonFields): ParsedLine {
  if (typeof callId !== "string" || !isOneOf(statuses, status)) return skipped;
  const ended = {
    callId,
    status,
    exitCode: typeof exitCode === "number" ? exitCode : null,
    reason: typeof reason === "string" ? reason : null,
  } as EndedCall;
  return { type: "ended_call", ended };
}

function toEpoch(payload: JsonFields, line: Uint8Array): ParsedLine {
  const { message, is_final: isFinal, replacement_history: history } = payload;
  if (!Array.isArray(history)) return typeof message === "string" ? { type: "summary", summary: message } : skipped;
  const cause = typeof message === "string" ? message : "";
  const texts = sliceItems(payload, line);
  const [originals, sendings] = [toFields(payload["originals"]), toFields(payload["sendings"])];
  const items = history.filter(isFields).flatMap((value, n) => {
    const sending = toFields(sendings[n]);
    const written = [originals[n], texts[n], JSON.stringify(value)];
    return written.map((item) => parseSentItem({ ...sending, item })).find((item) => item !== null) ?? [];
  });
  return { type: "entry", entry: { type: "epoch", cause, isFinal: isFinal === true, items } };
}

/** The texts of an epoch's items: they are the end of the line, with a comma between two. Empty: another program wrote the line. */
function sliceItems({ lengths }: JsonFields, line: Uint8Array): readonly string[] {
  if (!Array.isArray(lengths)) return [];
  let at = line.length - "]}}".length - lengths.reduce((sum: number, length: number) => sum + length + 1, 0) + 1;
  return lengths.map((length: number) => {
    at += length + 1;
    return sliceDecoder.decode(line.subarray(at - length - 1, at - 1));
  });
}

function isForm(value: unknown): value is RequestForm {
  return isFields(value) && Object.values(value).every((takes) => typeof takes === "boolean");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A line of ours whose request head is damaged, without the head. */
export function withoutHead(line: Uint8Array): Uint8Array {
  const { payload, ...opening } = parseFields(decoder.decode(line)) ?? {};
  return encoder.encode(`${JSON.stringify({ ...opening, payload: { ...toFields(payload), head: null } })}\n`);
}
