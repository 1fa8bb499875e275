import { type MessageItem, readAuthor, type ResponseItem } from "@unroll/protocol";
import { isSummary } from "../summary/summary-item.ts";
import type { CompactionPlan } from "./compaction-plan.ts";
import { type ItemGroup, splitGroups } from "./split-groups.ts";

/** How much of each part may stay. */
export interface KeptBudget {
  /** In tokens, over what people said before the kept steps; the latest message stays whatever it takes. */
  readonly userTokens: number;
  /** In tokens: for the kept steps and all messages among and after them. */
  readonly stepTokens: number;
  readonly steps: number;
}

/** The thread to be compacted, and its measure. */
export interface CompactionInput {
  readonly items: readonly ResponseItem[];
  /** Tokens of some of its items. */
  readonly estimate: (items: readonly ResponseItem[]) => number;
  /** The model's plan, a line a step; null: it has none. */
  readonly plan: string | null;
}

/** The items that stay within a budget; null: all of them. */
export function selectKept(conversation: CompactionInput, budget: KeptBudget): CompactionPlan | null {
  const { items } = conversation;
  const initial = countInitial(conversation);
  const groups = splitGroups(items.slice(initial));
  const cut = findCut(groups, conversation, budget);
  const after = groups.slice(cut).flatMap((group) => group.items);
  const summed = items.slice(initial, items.length - after.length);
  const kept = new Set<ResponseItem>([
    ...selectOfHarness(summed, after),
    ...selectSaid(summed, after, { conversation, budget }),
  ]);
  const stays = summed.filter((item) => kept.has(item));
  if (stays.length === summed.length) return null;
  const isPlanAfter = after.some((item) => item.type === "function_call" && item.name === "update_plan");
  const count = (list: readonly ResponseItem[]): number => list.filter((item) => isSaid(item)).length;
  return {
    before: [...items.slice(0, initial), ...stays],
    after,
    plan: isPlanAfter ? null : conversation.plan,
    kept: {
      initialMessages: initial,
      userMessages: { kept: count([...stays, ...after]), all: count([...summed, ...after]) },
      steps: { kept: countSteps(groups.slice(cut)), all: countSteps(groups) },
    },
  };
}

function countSteps(groups: readonly ItemGroup[]): number {
  return groups.filter(({ type }) => type === "step").length;
}

/** The messages that a thread begins with: of the harness, before anybody said anything. */
export function countInitial({ items }: Pick<CompactionInput, "items">): number {
  const isInitial = (item: ResponseItem): boolean =>
    item.type === "message" && (isOfHarness(item) || ["instructions", "environment"].includes(readFragment(item)));
  const end = items.findIndex((item) => !isInitial(item));
  return end === -1 ? items.length : end;
}

/** The index of the first group that stays in full. It comes after an earlier summary. */
function findCut(
  groups: readonly ItemGroup[],
  { estimate }: CompactionInput,
  { stepTokens, steps: mostSteps }: KeptBudget,
): number {
  let [cut, tokens, steps] = [groups.length, 0, 0];
  for (let at = groups.length - 1; at >= 0; at--) {
    const group = groups[at];
    if (group === undefined || group.items.some(isSummary)) break;
    tokens += estimate(group.items);
    if (group.type === "step") steps += 1;
    if (tokens > stepTokens || steps > mostSteps) break;
    // Messages before the first kept step are considered separately.
    if (group.type === "step" || steps === 0) cut = at;
  }
  return cut;
}

/** Fragments of which only the latest counts. */
const replaced: ReadonlySet<string> = new Set(["permissions", "environment", "instructions", "skill_list"]);
/** Fragments that are of no use once the work has continued, or that come again after a compaction. */
const passing: ReadonlySet<string> = new Set([
  "turn_interrupted",
  "repeated_calls",
  "answer_refused",
  "answer_cut",
  "sub_agents_running",
]);

/** Messages of the harness that still count; of those that replace each other, the latest. */
function selectOfHarness(summed: readonly ResponseItem[], after: readonly ResponseItem[]): readonly ResponseItem[] {
  const latest = new Map([...summed, ...after].map((item) => [readFragment(item), item]));
  return summed.filter((item) => {
    const fragment = readFragment(item);
    if (replaced.has(fragment)) return latest.get(fragment) === item;
    return item.type === "message" && isOfHarness(item) && !passing.has(fragment);
  });
}

/** Your messages, the newest first, each with the skills that it mentions. */
function selectSaid(
  summed: readonly ResponseItem[],
  after: readonly ResponseItem[],
  { conversation, budget }: { readonly conversation: CompactionInput; readonly budget: KeptBudget },
): readonly ResponseItem[] {
  const messages = listSaid(summed).toReversed();
  const hasLatest = after.some((item) => isSaid(item));
  const kept: ResponseItem[] = [];
  let tokens = 0;
  for (const [index, message] of messages.entries()) {
    tokens += conversation.estimate(message);
    if (tokens > budget.userTokens && (index > 0 || hasLatest)) break;
    kept.push(...message);
  }
  return kept;
}

function listSaid(items: readonly ResponseItem[]): readonly (readonly ResponseItem[])[] {
  const messages: ResponseItem[][] = [];
  for (const item of items) {
    if (isSaid(item)) messages.push([item]);
    else if (readFragment(item) === "skill") messages.at(-1)?.push(item);
  }
  return messages;
}

/** Whether a person said it. */
function isSaid(item: ResponseItem): boolean {
  return readAuthor(item).type === "user";
}

function isOfHarness({ role }: MessageItem): boolean {
  return role === "developer" || role === "system";
}

/** Which fragment of the prompt the harness wrote as this item; empty: none. */
function readFragment(item: ResponseItem): string {
  const author = readAuthor(item);
  return author.type === "harness" ? author.fragment : "";
}
