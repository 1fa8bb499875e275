import { type MessageItem, withAuthor } from "@unroll/protocol";
import { countBytes } from "@unroll/text";
import { cutText } from "../text/bounded-text.ts";
import { escapeClosingTag } from "../text/tag.ts";
import type { ContextTexts } from "../initial-prompt.ts";
import type { PromptContext } from "../prompt-context.ts";

/** One message of the prompt, made from `Facts`. Adding one: a file in this folder and a line in `fragments.ts`. */
export interface Fragment<Facts> extends MessageFrame {
  /** Names it in a warning. Absent: `name`. */
  readonly label?: string;
  /** Pure: the same facts give the same text. Null: nothing to say, no message. */
  readonly render: (facts: Facts) => FragmentText | null;
}

interface MessageFrame {
  /** Which of the harness's texts it is: as the message's author, and in journals. */
  readonly name: string;
  /** `developer`: what we and the configuration say; `user`: what comes from the user's files and machine. */
  readonly role: "developer" | "user";
  /** The whole text of the message is at most this long, in bytes of UTF-8. */
  readonly maxBytes: number;
}

export interface FragmentText {
  /** A line above the tag, with a blank one after it. */
  readonly heading?: string;
  /** Absent: the body stands alone. */
  readonly tag?: string;
  /** The text that is cut when it is too long. It cannot close the tag. */
  readonly body: string;
}

interface FragmentMessage {
  readonly item: MessageItem;
  readonly isCut: boolean;
}

/** Puts text into a message, within the message's size. */
export function toMessage({ name, role, maxBytes }: MessageFrame, text: FragmentText): FragmentMessage {
  const body = text.tag === undefined ? text.body : escapeClosingTag(text.tag, text.body);
  const cut = cutText(body, maxBytes - countBytes(frame(text, "")));
  const content = [{ type: "input_text", text: frame(text, cut.text).toWellFormed() } as const];
  const item = withAuthor({ type: "message", role, content }, { type: "harness", fragment: name });
  return { item, isCut: cut.isCut };
}

function frame({ heading, tag }: FragmentText, body: string): string {
  const block = tag === undefined ? body : `<${tag}>\n${body}\n</${tag}>`;
  return heading === undefined ? block : `${heading}\n\n${block}`;
}

/** All that the fragments of a new thread are made from: the context, and what was found in files. */
export interface PromptFacts extends PromptContext {
  readonly told: ContextTexts;
}
