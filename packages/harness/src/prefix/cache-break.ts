import type { HeadTool, JournalEntry, RequestHead, ResponseItem, ToolSpec } from "@unroll/protocol";
import { holdsEncrypted, withoutEncrypted } from "../guard/encrypted-items.ts";
import { toToolShapes } from "./to-tool-shapes.ts";

export type OpenedThread = Extract<JournalEntry, { readonly type: "thread.opened" }>;

/** How the requests of a thread with these entries begin; null: it has none yet. */
export function findOpened(entries: readonly JournalEntry[]): OpenedThread | null {
  return entries.findLast((entry) => entry.type === "thread.opened") ?? null;
}

/** Why a thread that goes on cannot send what it sent, so that its provider's cache is of no use. */
export interface CacheBreak {
  /** `model`: it cannot go on without; `tools`: it can, with the tools that it had. */
  readonly type: "model" | "tools";
  /** One clause for people. */
  readonly cause: string;
  /** Each a clause: what would be another, and what would be lost. */
  readonly changes: readonly string[];
  /** What the transcript would begin anew with. */
  readonly items: readonly ResponseItem[];
}

/** What a thread would go on with. */
export interface PrefixNow {
  readonly model: string;
  readonly provider: string;
  readonly tools: readonly ToolSpec[];
  readonly items: readonly ResponseItem[];
}

/** Null: it goes on as it did. */
export function findPrefixBreak(
  opened: OpenedThread & { readonly head: RequestHead },
  now: PrefixNow,
): CacheBreak | null {
  const tools = describeTools(opened.head.tools, now.tools.map(toHeadTool));
  const isOtherProvider = opened.provider !== now.provider;
  if (!isOtherProvider && opened.model === now.model) {
    if (tools.length === 0) return null;
    return { type: "tools", cause: "the tools were changed", changes: tools, items: now.items };
  }
  const what = isOtherProvider ? "the provider" : "the model";
  const [was, is] = [`${opened.model} of ${opened.provider}`, `${now.model} of ${now.provider}`];
  return {
    type: "model",
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
    ...other.map(([name]) => `the tool ${name} is called in another way`),
  ];
}

function describeLosses(items: readonly ResponseItem[], isOtherProvider: boolean): readonly string[] {
  const reasoning = items.filter((item) => holdsEncrypted(item, "reasoning")).length;
  const isCompacted = isOtherProvider && items.some((item) => holdsEncrypted(item, "compaction"));
  return [
    ...(reasoning === 0
      ? []
      : [
          `the reasoning of before (${reasoning} ${reasoning === 1 ? "item" : "items"}) is left out, which only the other model can read`,
        ]),
    ...(isCompacted ? ["what the provider before had compacted is left out, which only it can read"] : []),
  ];
}
