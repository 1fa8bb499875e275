import type { ResponseItem } from "@unroll/protocol";
import { showHidden, shortenText } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";

/** The limit for everything that waits for one request, as JSON. */
const maxWaitingLength = 32 * 1024 * 1024;
const shownCharacters = 60;

/** Throws `HarnessError` `too_much_waits`: each that is added is written down with all that waits. */
export function checkRoom(waiting: readonly ResponseItem[], more: readonly ResponseItem[]): void {
  const length = JSON.stringify([...waiting, ...more]).length;
  if (length <= maxWaitingLength) return;
  throw new HarnessError(
    "too_much_waits",
    `Queued messages would have ${length} bytes with this one; the limit is ${maxWaitingLength}. Send it later in the turn or after it, or send smaller images.`,
  );
}

/** A warning for the user: messages wait in a resumed thread. */
export function describeWaiting(items: readonly ResponseItem[]): string {
  return `Earlier messages that never reached the model come before your next one: ${quote(items)}.`;
}

/** For a person: that it is gone. */
export function describeLost(items: readonly ResponseItem[]): string {
  return `The thread is closed and was not saved. Messages that never reached the model are lost: ${quote(items)}.`;
}

/** The beginnings of what people said. */
function quote(items: readonly ResponseItem[]): string {
  return items.flatMap(toWords).join(", ");
}

function toWords(item: ResponseItem): readonly string[] {
  if (item.type !== "message") return [];
  const texts = item.content.map((part) => (part.type === "input_text" ? part.text : "[an image]"));
  const said = texts.filter((text) => !ownText.test(text)).join(" ");
  return said === "" ? [] : [`"${showHidden(shortenText(said, shownCharacters))}"`];
}

/** The texts around an image, and the beginning of a skill. */
const ownText = /^<(?:image name=\[Image #\d+\]>$|\/image>$|skill>\n)/;
