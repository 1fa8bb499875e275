import type { ApprovalDecision, Person, PrefixQuestion, ThreadEvent } from "@unroll/protocol";
import { askPerson, parseDecision, takesQuestion } from "@unroll/tools";
import type { CacheBreak } from "./cache-break.ts";

export interface BreakConsent {
  /** Whoever opens the thread has said yes beforehand. */
  readonly isAllowed: boolean;
  /** Null: there is nobody to ask, which is a no. */
  readonly person: Person | null;
  readonly threadId: string;
  /** What the thread was opened with. */
  readonly opened: PrefixQuestion["opened"];
  /** What would be sent at full price. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  readonly tell: (event: ThreadEvent) => void;
}

/**
 * Whether a thread may begin its requests anew: nobody pays for that without a yes. A person is only asked where it cannot go
 * on without.
 */
export async function confirmBreak({ type, cause, changes }: CacheBreak, consent: BreakConsent): Promise<boolean> {
  const { isAllowed, person, threadId, opened, tokens, signal, tell } = consent;
  if (isAllowed) return true;
  if (type === "tools" || !takesQuestion(person, "prefix.break")) return false;
  const question: PrefixQuestion = {
    type: "prefix.break",
    threadId,
    itemId: null,
    opened,
    askedBy: "the thread that goes on",
    reason: `Since ${cause}, its requests would begin anew, and nothing of them would be in the provider's cache. Without a yes it does not go on that way.`,
    changes,
    tokens,
  };
  const read = (answer: unknown): ApprovalDecision | null => {
    const decision = parseDecision(question, answer);
    return decision?.type === "approved.once" || decision?.type === "denied" ? decision : null;
  };
  const decision = await askPerson(person, { question, read }, { signal, emit: async (event) => tell(event) });
  return decision?.type === "approved.once";
}
