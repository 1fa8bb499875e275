import { type ResponseItem, withAuthor } from "@unroll/protocol";
import { cutItem } from "./cut-item.ts";
import { type CompactionInput, countInitial } from "./select-kept.ts";
import { splitGroups } from "./split-groups.ts";

export interface MaterialRoom {
  /** In tokens. */
  readonly mostTokens: number;
  /** Whether the messages that the thread began with stay in front: then the request begins as the thread's own do. */
  readonly keepsInitial: boolean;
}

/** A cut item below this says nothing. */
const fewestTokens = 60;

/** Comes first if the first messages are left out: templates want a thread to begin with the user. */
const opening: ResponseItem = withAuthor(
  {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "[The beginning of this conversation is left out.]" }],
  },
  { type: "harness", fragment: "left_out" },
);

/**
 * The material for a summary if not all of it fits: without the oldest steps and messages. If even
 * the newest one is too long, it is kept with its long texts cut. A call keeps its output. Null:
 * nothing would be left to summarise.
 */
export function fitMaterial(
  conversation: CompactionInput,
  { mostTokens, keepsInitial }: MaterialRoom,
): readonly ResponseItem[] | null {
  const { items, estimate } = conversation;
  const count = countInitial(conversation);
  const initial = keepsInitial ? items.slice(0, count) : [opening];
  const groups = splitGroups(items.slice(count));
  const room = mostTokens - estimate(initial);
  let tokens = 0;
  let from = groups.length;
  for (; from > 0; from--) {
    tokens += estimate(groups[from - 1]?.items ?? []);
    if (tokens > room) break;
  }
  if (from < groups.length) return [...initial, ...groups.slice(from).flatMap((group) => group.items)];
  const newest = groups.at(-1)?.items ?? [];
  const share = Math.floor(room / Math.max(1, newest.length));
  if (newest.length === 0 || share < fewestTokens) return null;
  return [...initial, ...newest.map((item) => cutItem(item, { mostTokens: share, estimate }))];
}
