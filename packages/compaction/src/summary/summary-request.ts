import type { MessageItem, ResponseItem, ToolOutputItem } from "@unroll/protocol";
import { countBytes, takeStart } from "@unroll/text";

/**
 * Asks the model, at the end of the thread that will be compacted, for everything it needs to continue without the
 * rest, and nothing that is kept anyway.
 */
const instructions = `The conversation is about to be shortened: its beginning is taken out, and what you write now takes its place. Whoever goes on with the work sees your notes, the user's own messages and the last few steps, and nothing else of what is above. Write the notes for them.

Answer with the notes alone, as text. Call no tool, and do not go on with the task yet.

Use these headings, and leave out one that has nothing under it:
- Task: what the user wants, with every condition, limit and wish that was named, also those of earlier messages that still hold.
- Done: what is finished and what was told to the user already, so that neither is done twice.
- Files: each file that was read for a reason or changed, by its path: what is in it that matters, what was changed and why.
- Decisions: what was decided and why; what was tried and does not work.
- Facts: commands that matter with what came of them, names, versions, numbers, error messages, word for word where the wording counts.
- Open: questions, doubts, failing tests, things promised and not done, commands that still run with their session ids.
- Next: the step that you were about to take, so exactly that it can be taken without asking; if the work was finished, say that nothing is left to do.

Be complete on what is needed and silent on the rest. Write what you know from above; do not guess.`;

/** Wishes for the summary. */
export interface SummaryWish {
  /** Takes the place of our own instructions; null: ours. */
  readonly prompt: string | null;
  /** The user's focus for the notes; null: none. */
  readonly focus: string | null;
  /** How long the notes may be; null: as long as they have to. */
  readonly mostWords: number | null;
}

/** The instructions of a request for notes in a window that has no room for those of the thread, and for its tools. */
export const summaryInstructions =
  "You are a coding agent. What follows is your conversation with a user, or the part of it that fits. Its last message says what to write.";

/** The message that asks for the summary: the conversation before it is sent as it is, so that the provider's cache holds. */
export function createSummaryRequest({ prompt, focus, mostWords }: SummaryWish): MessageItem {
  const wish = focus === null ? "" : `\n\nThe user asks that the notes dwell on this above all: ${focus}`;
  const bound = mostWords === null ? "" : `\n\nWrite at most ${mostWords} words: the context window is small.`;
  return toUserMessage(`${prompt ?? instructions}${wish}${bound}`);
}

/** The notes in an answer; null where it holds none: it is empty, or calls tools alone. */
export function readNotes(answer: readonly ResponseItem[]): string | null {
  const texts = answer.flatMap((item) => (item.type === "message" && item.role === "assistant" ? item.content : []));
  const text = texts.map((part) => (part.type === "output_text" ? part.text : "")).join("\n\n");
  return text.trim() === "" ? null : text.trim();
}

/** The notes in at most so many bytes: of longer ones the beginning, which tells the task and what is done. */
export function cutNotes(notes: string, mostBytes: number): string {
  if (countBytes(notes) <= mostBytes) return notes;
  return `${takeStart(notes, Math.max(0, mostBytes - countBytes(cutMark)))}${cutMark}`;
}

const cutMark = "\n[These notes were too long for the context window: their end is left out.]";

/** Items that ask once more after a response without notes: the response, with its calls refused. */
export function askForNotesAgain(
  answer: readonly ResponseItem[],
  isTaken: (callId: string) => boolean,
): readonly ResponseItem[] {
  const items = answer.map((item, index) =>
    isCall(item) && isTaken(item.call_id) ? { ...item, call_id: `${item.call_id}_notes_${index}` } : item,
  );
  const outputs = items.filter(isCall).map(({ type, call_id }): ToolOutputItem => ({
    type: type === "function_call" ? "function_call_output" : "custom_tool_call_output",
    call_id,
    output: "This call was not run: the notes are needed first.",
  }));
  return [
    ...items,
    ...outputs,
    toUserMessage("There were no notes in that answer. Write them now, as text, without a tool call."),
  ];
}

function isCall(
  item: ResponseItem,
): item is Extract<ResponseItem, { readonly type: "function_call" | "custom_tool_call" }> {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

function toUserMessage(text: string): MessageItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text: text.toWellFormed() }] };
}
