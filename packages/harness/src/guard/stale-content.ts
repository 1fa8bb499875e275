import type { StepGuard } from "@unroll/core";
import type { ModelError, ResponseItem } from "@unroll/protocol";
import { type EncryptedKind, type EncryptedOptions, holdsEncrypted, withoutEncrypted } from "./encrypted-items.ts";

const cause = "the server can no longer read the encrypted reasoning in it";

/**
 * A server refuses what it encrypted itself, after its keys, its account or its model changed: the thread could never go on
 * (`invalid_encrypted_content`, https://github.com/openai/codex/issues/8119). It is dropped once, and the request made again.
 */
export function createStaleContentGuard(options: EncryptedOptions): StepGuard {
  return {
    async *before({ items, failure }) {
      if (failure === null || !isStale(failure)) return { type: "go" };
      const kept = dropEncrypted(items, options);
      if (kept === null) return { type: "go" };
      yield { type: "warning", message: toWarning(kept.dropped) };
      return { type: "compact", items: kept.items, cause };
    },
  };
}

/** Some servers in between send the sentence without the code. */
function isStale({ code, message }: ModelError): boolean {
  return (
    code === "invalid_encrypted_content" || /encrypted content\b[^]*could not be (?:verified|decrypted)/i.test(message)
  );
}

/**
 * Without the model's encrypted reasoning; where there is none, without what the server had shortened, which is more of a
 * loss. Null: nothing is encrypted.
 */
function dropEncrypted(
  items: readonly ResponseItem[],
  options: EncryptedOptions,
): { readonly items: readonly ResponseItem[]; readonly dropped: EncryptedKind } | null {
  const dropped = (["reasoning", "compaction"] as const).find((type) =>
    items.some((item) => holdsEncrypted(item, type)),
  );
  if (dropped === undefined) return null;
  return { items: withoutEncrypted(items, dropped, options), dropped };
}

/** Calls and messages that are sent with ids would ask for the reasoning that they came with. */
function toWarning(dropped: EncryptedKind): string {
  return dropped === "reasoning"
    ? "The server cannot read the model's encrypted reasoning of before any more. It was left out, and the request is made again: the model goes by what was said and done."
    : "The server cannot read the conversation that it had shortened any more. It was left out, and the request is made again: what was said before it is lost to the model.";
}
