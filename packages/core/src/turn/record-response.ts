import { isToolCall, type ResponseItem, type ToolCallItem, type TurnError } from "@unroll/protocol";
import { TranscriptError } from "../transcript/transcript-error.ts";
import type { Transcript } from "../transcript/transcript.ts";

export type RecordedResponse =
  /** The calls to run, as they are in the transcript. */
  | { readonly type: "recorded"; readonly calls: readonly ToolCallItem[] }
  /** The answer broke the transcript's rules: nothing of it is kept. */
  | { readonly type: "refused"; readonly error: TurnError };

/** Appends what a model answered; each call gets an id that the thread has not had. */
export function recordResponse(transcript: Transcript, answered: readonly ResponseItem[]): RecordedResponse {
  const items = withFreshCallIds(answered, transcript);
  try {
    transcript.append(...items);
    return { type: "recorded", calls: items.filter(isToolCall) };
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    const message = `The model's response cannot be used, because its server broke the protocol: ${error.message}`;
    return { type: "refused", error: { code: "invalid_answer", message } };
  }
}

/**
 * Some servers number the calls of each response from the start. A call whose id was used before
 * gets a new one.
 */
function withFreshCallIds(items: readonly ResponseItem[], transcript: Transcript): readonly ResponseItem[] {
  const taken = new Set<string>();
  return items.map((item) => {
    if (!isToolCall(item)) return item;
    let id = item.call_id;
    for (let n = 2; taken.has(id) || transcript.hasCall(id); n++) id = `${item.call_id}_${n}`;
    taken.add(id);
    return id === item.call_id ? item : { ...item, call_id: id };
  });
}
