import type { RequestCache } from "@unroll/protocol";

/** Fewer tokens are not worth a line. */
const notableTokens = 4096;

/** Whether a person wants to know: much that was sent before is paid for in full again, and nothing said so beforehand. */
export function isNotableMiss({ miss, shared_tokens: shared, cached_tokens: cached }: RequestCache): boolean {
  if (miss === null || cached === null) return false;
  switch (miss.type) {
    case "expired":
    case "unexplained":
      return shared - cached >= notableTokens;
    case "too_short":
    case "not_reported":
    case "model_changed":
    case "provider_changed":
    case "instructions_changed":
    case "tools_changed":
    case "settings_changed":
    case "epoch_opened":
    case "other_input":
    case "history_changed":
    case "other_program":
      return false;
  }
}
