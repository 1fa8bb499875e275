import type { ResponseItem } from "@unroll/protocol";
import { type Conversation, countInitial } from "./select-kept.ts";
import { splitGroups } from "./split-groups.ts";

/**
 * A conversation without its oldest steps and messages, until the rest has at most so many tokens: for a summary that does
 * not fit otherwise. The initial messages stay, and a call its output. Null where nothing would be left to sum up.
 */
export function dropOldest(conversation: Conversation, mostTokens: number): readonly ResponseItem[] | null {
  const { items, estimate } = conversation;
  const initial = items.slice(0, countInitial(conversation));
  const groups = splitGroups(items.slice(initial.length));
  let tokens = estimate(initial);
  let from = groups.length;
  for (; from > 0; from--) {
    tokens += estimate(groups[from - 1]?.items ?? []);
    if (tokens > mostTokens) break;
  }
  return from === groups.length ? null : [...initial, ...groups.slice(from).flatMap((group) => group.items)];
}
