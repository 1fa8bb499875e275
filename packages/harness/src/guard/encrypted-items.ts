import type { ResponseItem, TurnError } from "@unroll/protocol";

/** The model's reasoning, or a conversation that the server shortened. */
export type EncryptedKind = "reasoning" | "compaction";

export interface EncryptedOptions {
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
