import type { ResponseItem } from "@unroll/protocol";

/** The model's reasoning, or a conversation that the server shortened. */
export type EncryptedKind = "reasoning" | "compaction";

export interface EncryptedOptions {
  /** Whether items are sent with their ids, by which a server looks for what they belong to. */
  readonly keepsIds: boolean;
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

/** Whether only who encrypted it can read the item. */
export function holdsEncrypted(item: ResponseItem, type: EncryptedKind): boolean {
  return item.type === type && typeof item.encrypted_content === "string";
}

function withoutId(item: ResponseItem): ResponseItem {
  if (item.type === "unknown" || !("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
