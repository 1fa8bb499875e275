import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { type JournalEntry, replayThread, type UserInputPart } from "@unroll/protocol";
import { createUpdateTeller, type ToldThread } from "./create-update-teller.ts";

/** A stored thread as updates, from the entries of its journal. */
export function toReplay(entries: readonly JournalEntry[], thread: ToldThread): readonly SessionUpdate[] {
  const teller = createUpdateTeller({ offers: { terminalOutput: false, notices: false }, clock: { elapsed: () => 0 } });
  let said = 0;
  return [...replayThread(entries)].flatMap((event): readonly SessionUpdate[] => {
    if (event.type === "input.received") {
      const id = `said_${said++}`;
      return event.input.flatMap((part) => toSaid(part, id));
    }
    return event.type === "item.completed" || event.type === "item.updated" ? teller.tell(event, thread) : [];
  });
}

function toSaid(part: UserInputPart, messageId: string): readonly SessionUpdate[] {
  const sessionUpdate = "user_message_chunk" as const;
  if (part.type === "text") return [{ sessionUpdate, messageId, content: { type: "text", text: part.text } }];
  const [, mimeType = null, data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(part.dataUrl) ?? [];
  return mimeType === null ? [] : [{ sessionUpdate, messageId, content: { type: "image", mimeType, data } }];
}
