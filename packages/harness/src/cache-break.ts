import type {
  ApprovalDecision,
  HeadTool,
  JournalEntry,
  Person,
  PrefixQuestion,
  RequestHead,
  ResponseItem,
  ThreadEvent,
  ToolSpec,
} from "@unroll/protocol";
import { askPerson, parseDecision, takesQuestion } from "@unroll/tools";
import { pluralize } from "@unroll/text";
import { holdsEncrypted, withoutEncrypted } from "./guard/stale-content.ts";

export type OpenedThread = Extract<JournalEntry, { readonly type: "thread.opened" }>;

/** How the requests of a thread with these entries begin; null: it has none yet. */
export function findOpened(entries: readonly JournalEntry[]): OpenedThread | null {
  return entries.findLast((entry) => entry.type === "thread.opened") ?? null;
}

/** Why a resumed thread cannot send the same bytes, so that its provider's cache is useless. */
export interface CacheBreak {
  /** `model`: it cannot continue without it, because another model or account answers; `tools`: it can, with its earlier tools. */
  readonly type: "model" | "tools";
  /** Whether only the account differs. */
  readonly isAccount: boolean;
  /** One clause for people. */
  readonly cause: string;
  /** Each a clause: what would be another, and what would be lost. */
  readonly changes: readonly string[];
  /** The items with which the transcript would begin. */
  readonly items: readonly ResponseItem[];
}

/** The current model and tools of a resumed thread. */
interface PrefixNow {
  readonly model: string;
  readonly provider: string;
  /** The login of the requests; null: another credential. */
  readonly account: string | null;
  readonly tools: readonly ToolSpec[];
  readonly items: readonly ResponseItem[];
}

/** Null: it continues unchanged. Another account has another cache, and cannot read the reasoning of this one. */
export function findPrefixBreak(
  opened: OpenedThread & { readonly head: RequestHead } & Pick<PrefixNow, "account">,
  now: PrefixNow,
): CacheBreak | null {
  const tools = describeTools(opened.head.tools, now.tools.map(toHeadTool));
  const isOtherProvider = opened.provider !== now.provider;
  if (!isOtherProvider && opened.model === now.model) {
    const [was, is] = [opened.account, now.account];
    if (was !== null && is !== null && was !== is) {
      return {
        type: "model",
        isAccount: true,
        cause: `the account was changed from ${was} to ${is}`,
        changes: [`the account ${is} instead of ${was}`, ...tools, ...describeLosses(now.items, false)],
        items: withoutEncrypted(now.items, "reasoning", { keepsIds: false }),
      };
    }
    if (tools.length === 0) return null;
    return { type: "tools", isAccount: false, cause: "the tools were changed", changes: tools, items: now.items };
  }
  const what = isOtherProvider ? "the provider" : "the model";
  const [was, is] = [`${opened.model} of ${opened.provider}`, `${now.model} of ${now.provider}`];
  return {
    type: "model",
    isAccount: false,
    cause: `${what} was changed from ${was} to ${is}`,
    changes: [`${is} instead of ${was}`, ...tools, ...describeLosses(now.items, isOtherProvider)],
    // what only another server can read is not sent, and stays for when the thread returns to it
    items: isOtherProvider ? now.items : withoutEncrypted(now.items, "reasoning", { keepsIds: false }),
  };
}

function toHeadTool(spec: ToolSpec): HeadTool {
  return { name: "name" in spec ? spec.name : spec.type, type: spec.type, spec };
}

function describeTools(before: readonly HeadTool[], now: readonly HeadTool[]): readonly string[] {
  const [was, is] = [toToolShapes(before), toToolShapes(now)];
  const gone = [...was.keys()].filter((name) => !is.has(name));
  const fresh = [...is.keys()].filter((name) => !was.has(name));
  const other = [...is].filter(([name, shape]) => was.has(name) && was.get(name) !== shape);
  return [
    ...gone.map((name) => `the tool ${name} is gone`),
    ...fresh.map((name) => `the tool ${name} is new`),
    ...other.map(([name]) => `the tool ${name} has other parameters`),
  ];
}

function describeLosses(items: readonly ResponseItem[], isOtherProvider: boolean): readonly string[] {
  const reasoning = items.filter((item) => holdsEncrypted(item, "reasoning")).length;
  const isCompacted = isOtherProvider && items.some((item) => holdsEncrypted(item, "compaction"));
  return [
    ...(reasoning === 0
      ? []
      : [`earlier reasoning (${pluralize(reasoning, "item")}) is left out: only the other model can read it`]),
    ...(isCompacted
      ? ["the history that the other provider compacted is left out: only that provider can read it"]
      : []),
  ];
}

/**
 * The tools of a head by their names, each as JSON without its texts for the model, which may be
 * reworded.
 */
function toToolShapes(tools: readonly HeadTool[]): ReadonlyMap<string, string> {
  return new Map(tools.filter(({ name }) => name !== ofPerson).map(({ name, spec }) => [name, toShape(spec)]));
}

/**
 * It depends on a person being there, who may be present in one process and not in the next: no
 * reason for a new epoch.
 */
const ofPerson = "request_user_input";

function toShape(spec: HeadTool["spec"]): string {
  return JSON.stringify(spec, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}

interface BreakConsent {
  /** The caller allowed it in advance. */
  readonly isAllowed: boolean;
  /** Null: there is nobody to ask, which is a denial. */
  readonly person: Person | null;
  readonly threadId: string;
  /** The model that the thread was opened with. */
  readonly opened: PrefixQuestion["opened"];
  /** Why the model of the thread does not answer, as a sentence, and another one is to; null: another reason. */
  readonly fallback: string | null;
  /** The tokens that would be sent at full price. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  readonly tell: (event: ThreadEvent) => void;
}

/**
 * Whether a thread may resend everything uncached. Nobody pays for that without an approval. The
 * person is only asked if the thread cannot continue otherwise.
 */
export async function confirmBreak(
  { type, isAccount, cause, changes }: CacheBreak,
  consent: BreakConsent,
): Promise<boolean> {
  const { isAllowed, person, threadId, opened, fallback, tokens, signal, tell } = consent;
  if (isAllowed) return true;
  if (type === "tools" || !takesQuestion(person, "prefix.break")) return false;
  const question: PrefixQuestion = {
    type: "prefix.break",
    ...(fallback === null ? isAccount && { subject: "account" } : { subject: "fallback" }),
    threadId,
    itemId: null,
    opened,
    askedBy: fallback === null ? "cache protection" : "model_fallbacks",
    reason: fallback ?? `Continuing would resend the whole thread uncached, because ${cause}. Confirm to continue.`,
    changes,
    tokens,
  };
  const read = (answer: unknown): ApprovalDecision | null => {
    const decision = parseDecision(question, answer);
    return decision?.type === "approved.once" || decision?.type === "denied" ? decision : null;
  };
  const decision = await askPerson(person, { question, read }, { signal, emit: async (event) => tell(event) });
  return decision?.type === "approved.once";
}
