import type { StepGuard } from "@unroll/core";
import { dropEncrypted, type EncryptedKind, type EncryptedOptions, isStaleContent } from "./encrypted-items.ts";

const cause = "the server can no longer read the encrypted reasoning in it";

/**
 * A server refuses what it encrypted itself, after its keys, its account or its model changed: the thread could never go on
 * (`invalid_encrypted_content`, https://github.com/openai/codex/issues/8119). It is dropped once, and the request made again.
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
    ? "The server cannot read the model's encrypted reasoning of before any more. It was left out, and the request is made again: the model goes by what was said and done."
    : "The server cannot read the conversation that it had shortened any more. It was left out, and the request is made again: what was said before it is lost to the model.";
}
