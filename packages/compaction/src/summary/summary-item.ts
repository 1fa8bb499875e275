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
