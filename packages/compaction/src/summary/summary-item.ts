import { type MessageItem, readAuthor, type ResponseItem, withAuthor } from "@unroll/protocol";

const tag = "conversation_summary";

const preface = `To make room, what stood between the messages above and what follows was taken out. These are your own notes on it. Go by them: what they call done is done, so neither do it nor report it again; where you need a detail that they leave out, look at the file or run the command anew. The user's messages above are in their own words; the notes say how far each was answered. This message itself needs no answer: go on with the work where it stopped.`;

/** The message that stands for what was taken out of a conversation. `notes` null: a server's item has them, before it. */
export function toSummaryItem(notes: string | null, plan: string | null): MessageItem {
  const sections = [
    notes === null ? [] : [preface, escape(notes)],
    plan === null ? [] : [`Your plan, as you last gave it:\n${escape(plan)}`],
  ];
  const text = `<${tag}>\n${sections.flat().join("\n\n")}\n</${tag}>`;
  const content = [{ type: "input_text", text }] as const;
  return withAuthor({ type: "message", role: "user", content }, { type: "harness", fragment: "summary" });
}

/** Whether an item stands for what was taken out of a conversation before. */
export function isSummary(item: ResponseItem): boolean {
  if (item.type === "compaction") return true;
  const author = readAuthor(item);
  return author.type === "harness" && author.fragment === "summary";
}

/** Notes cannot end the tag that they stand in. */
function escape(text: string): string {
  return text
    .trim()
    .toWellFormed()
    .replaceAll(new RegExp(`<(?=\\s*/\\s*${tag})`, "giu"), "&lt;");
}

/**
 * The part of a server's compacted thread that replaces removed items: all of it, in its order,
 * except copies of the user's and the harness's messages, which stay where they are or were left
 * out on purpose. Empty: it has nothing new.
 */
export function readServerItems(
  output: readonly ResponseItem[],
  known: readonly ResponseItem[],
): readonly ResponseItem[] {
  const isCopy = createCopyTest(known);
  const items = output.filter((item) => !isOwnMessage(item) || !isCopy(item));
  return items.every(isCopy) ? [] : items;
}

/** Tells what the same conversation holds already, whatever ids and states a server adds to what it repeats. */
export function createCopyTest(known: readonly ResponseItem[]): (item: ResponseItem) => boolean {
  const keys = new Set(known.map(toKey));
  return (item) => keys.has(toKey(item));
}

function isOwnMessage(item: ResponseItem): boolean {
  return item.type === "message" && item.role !== "assistant";
}

function toKey(item: ResponseItem): string {
  if (item.type === "message")
    return JSON.stringify([item.role, item.content.map((part) => ("text" in part ? part.text : part))]);
  if ("call_id" in item) return JSON.stringify([item.type, item.call_id]);
  return JSON.stringify({ ...item, id: null, status: null });
}
