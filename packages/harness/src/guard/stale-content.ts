import type { StepGuard } from "@unroll/core";
import type { ResponseItem, TurnError } from "@unroll/protocol";

const cause = "the server can no longer read the encrypted reasoning in it";

/**
 * A server may refuse its own encrypted items after a change of its keys, its account or its model;
 * the thread could never continue (`invalid_encrypted_content`,
 * https://github.com/openai/codex/issues/8119). They are dropped once, and the request is repeated.
 */
export function createStaleContentGuard(options: EncryptedOptions): StepGuard {
  return {
    async *before({ items, failure }) {
      if (failure === null || !isStaleContent(failure)) return { type: "go" };
      const kept = dropEncrypted(items, options);
      if (kept === null) return { type: "go" };
      yield { type: "warning", message: toWarning(kept.dropped) };
      return { type: "compact", items: kept.items, cause, isFinal: true };
    },
  };
}

/** Calls and messages that are sent with ids would ask for the reasoning that they came with. */
function toWarning(dropped: EncryptedKind): string {
  return dropped === "reasoning"
    ? "The server can no longer read the model's earlier encrypted reasoning. Retrying without it; the model continues from the messages and results."
    : "The server can no longer read its compacted history. Retrying without it; the model loses everything before that point.";
}

/** The model's reasoning, or a thread that the server compacted. */
export type EncryptedKind = "reasoning" | "compaction";

interface EncryptedOptions {
  /** Whether items are sent with their ids, by which a server looks for what they belong to. */
  readonly keepsIds: boolean;
}

/** Whether a server refuses what it encrypted itself. Some in between send the sentence without the code. */
export function isStaleContent({ code, message }: TurnError): boolean {
  return (
    code === "invalid_encrypted_content" || /encrypted content\b[^]*could not be (?:verified|decrypted)/i.test(message)
  );
}

/** The items without the encrypted ones of a kind. Where ids are sent they lose theirs: they would ask for what is gone. */
export function withoutEncrypted(
  items: readonly ResponseItem[],
  dropped: EncryptedKind,
  { keepsIds }: EncryptedOptions,
): readonly ResponseItem[] {
  const kept = items.filter((item) => !holdsEncrypted(item, dropped));
  return keepsIds ? kept.map(withoutId) : kept;
}

/**
 * Without the model's encrypted reasoning; where there is none, without what the server had shortened, which is more of a
 * loss. Null: nothing is encrypted.
 */
export function dropEncrypted(
  items: readonly ResponseItem[],
  options: EncryptedOptions,
): { readonly items: readonly ResponseItem[]; readonly dropped: EncryptedKind } | null {
  const dropped = (["reasoning", "compaction"] as const).find((type) =>
    items.some((item) => holdsEncrypted(item, type)),
  );
  if (dropped === undefined) return null;
  return { items: withoutEncrypted(items, dropped, options), dropped };
}

/** Whether only who encrypted it can read the item. */
export function holdsEncrypted(item: ResponseItem, type: EncryptedKind): boolean {
  return item.type === type && typeof item.encrypted_content === "string";
}

function withoutId(item: ResponseItem): ResponseItem {
  if (item.type === "unknown" || !("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
