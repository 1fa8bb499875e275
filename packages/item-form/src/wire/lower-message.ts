import type { ContentPart, ItemForm, MessageItem, ResponseItem } from "@unroll/protocol";
import { type NewId, toMessageWire, type WireItem, withoutNulls } from "./wire-item.ts";

/** Whether all that the developer says goes into one text. */
export function hasOneSystemText({ developerMessages, repeatedRoles }: ItemForm): boolean {
  return !developerMessages || !repeatedRoles;
}

export function isOfDeveloper(item: ResponseItem): item is MessageItem {
  return item.type === "message" && (item.role === "developer" || item.role === "system");
}

/** A message of ours or of the user; null: it goes as it is. */
export function lowerOwnMessage(item: MessageItem, form: ItemForm): WireItem | null {
  const { role, content } = item;
  const isTold = isOfDeveloper(item) && hasOneSystemText(form);
  const isChanged = isTold || (!form.images && hasImages(content));
  if (!isChanged && form.anyItems && form.repeatedRoles) return null;
  const parts = form.images ? content : describeImages(content);
  return toMessageWire("user", { type: "message", role: isTold ? "user" : role }, parts);
}

interface LoweredAnswer {
  readonly isOwn: boolean;
  readonly newId: NewId;
}

/**
 * A message of the model, with the members that strict servers require: an id, a status, lists of
 * annotations.
 */
export function lowerAnswer(item: MessageItem, { isOwn, newId }: LoweredAnswer): WireItem {
  const { content: _, ...rest } = isOwn ? withoutNulls(item) : { type: item.type, role: item.role };
  const fields = { type: item.type, id: newId("msg"), status: "completed", ...rest };
  const parts = isOwn
    ? item.content.map(toOwnPart)
    : item.content.map((part) => ({ type: "output_text", text: readText(part), annotations: [] }));
  return toMessageWire("assistant", fields, parts);
}

function toOwnPart(part: ContentPart): object {
  const own = withoutNulls(part);
  return part.type === "output_text" ? { annotations: [], ...own } : own;
}

/** A short text in the name of the model. */
export function toAnswerWire(text: string, newId: NewId): WireItem {
  return lowerAnswer(
    { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
    { isOwn: false, newId },
  );
}

const noImage = "[An image was here. Images are not sent to this server.]";
const imageBehind = "[An image: it is in the message after the tool outputs.]";

/** The parts of a message or of an output with a line of text for each image. */
export function describeImages(content: readonly ContentPart[]): readonly ContentPart[] {
  return content.map((part) => (part.type === "input_image" ? { type: "input_text", text: noImage } : part));
}

export function hasImages(content: string | readonly ContentPart[]): boolean {
  return typeof content !== "string" && content.some(({ type }) => type === "input_image");
}

/** An output as text, and its images: servers that know functions alone take no others. */
export function splitOutput(output: string | readonly ContentPart[]): {
  readonly text: string;
  readonly images: readonly ContentPart[];
} {
  if (typeof output === "string") return { text: output, images: [] };
  return {
    text: output.map((part) => (part.type === "input_image" ? imageBehind : readText(part))).join("\n"),
    images: output.filter(({ type }) => type === "input_image"),
  };
}

/** The text of a part; of an image, that it was one. */
export function readText(part: ContentPart): string {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return part.text;
    case "refusal":
      return part.refusal;
    case "input_image":
      return noImage;
  }
}
