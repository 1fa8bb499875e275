import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { isUnsavedInput, readStoredTurns, type StoredStep } from "@unroll/thread-host";
import { isPlanInstructions } from "@unroll/use-cases/plan";
import type { JournalEntry, UserInputPart } from "@unroll/protocol";
import { createUpdateTeller, type ToldThread } from "./create-update-teller.ts";

/** A conversation as it was, of the entries of its journal, to be shown once more. */
export function toReplay(
  entries: readonly JournalEntry[],
  { config }: Pick<ToldThread, "config">,
): readonly SessionUpdate[] {
  const teller = createUpdateTeller({ offers: { terminalOutput: false, notices: false }, clock: { elapsed: () => 0 } });
  const toUpdates = (step: StoredStep): readonly SessionUpdate[] => {
    if (step.type === "said") return step.input.flatMap((part) => toSaid(part, step.id));
    if (step.type === "compacted") return [];
    const { item, cwd } = step;
    return teller.tell({ type: "item.completed", item }, { config: { ...config, cwd: cwd ?? config.cwd } });
  };
  return readStoredTurns(entries).flatMap(({ steps }) => steps.flatMap(toUpdates));
}

function toSaid(part: UserInputPart, messageId: string): readonly SessionUpdate[] {
  const sessionUpdate = "user_message_chunk" as const;
  if (part.type === "text" && (isPlanInstructions(part.text) || isUnsavedInput(part.text))) return []; // nobody said that
  if (part.type === "text") return [{ sessionUpdate, messageId, content: { type: "text", text: part.text } }];
  const [, mimeType = null, data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(part.dataUrl) ?? [];
  return mimeType === null ? [] : [{ sessionUpdate, messageId, content: { type: "image", mimeType, data } }];
}
