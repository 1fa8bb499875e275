import type { ResponseItem } from "@unroll/protocol";
import { showHidden, shortenText } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";

/** Of all that waits for one request, as JSON. */
const maxWaitingLength = 32 * 1024 * 1024;
const shownCharacters = 60;

/** Throws `HarnessError` `too_much_waits`: each that is added is written down with all that waits. */
export function checkRoom(waiting: readonly ResponseItem[], more: readonly ResponseItem[]): void {
  const length = JSON.stringify([...waiting, ...more]).length;
  if (length <= maxWaitingLength) return;
  throw new HarnessError(
    "too_much_waits",
    `What was sent and waits for the next request would be ${length} bytes with this, and at most ${maxWaitingLength} may wait: send it when the turn goes on or is over, or send smaller images.`,
  );
}

/** For a person: that it waits in a thread that goes on. */
export function describeWaiting(items: readonly ResponseItem[]): string {
  return `What was sent before and never reached the model goes in front of what is said next: ${quote(items)}.`;
}

/** For a person: that it is gone. */
export function describeLost(items: readonly ResponseItem[]): string {
  return `The thread is closed, and nothing of it is kept: what was sent and never reached the model is lost: ${quote(items)}.`;
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

/** What is put around an image, and what a skill begins with. */
const ownText = /^<(?:image name=\[Image #\d+\]>$|\/image>$|skill>\n)/;
