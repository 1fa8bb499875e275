import type { CountedResponse, ModelError, Refusal } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import type { Redactor } from "../failure/redactor.ts";
import { RequestFailure } from "../failure/request-failure.ts";

/** How one try ended. `phase` says which retries a failure draws on. */
export type AttemptOutcome<Completed> =
  | Completed
  | {
      readonly type: "failed";
      readonly phase: RequestFailure["phase"];
      readonly error: ModelError;
      readonly counted?: CountedResponse;
    }
  | { readonly type: "aborted" };

/** Makes an outcome of what a try throws. Every error leaves here, so here it is cleared of credentials. */
export async function* settleAttempt<Batch, Completed>(
  attempt: AsyncGenerator<Batch, Completed>,
  context: { readonly redactor: Redactor; readonly signal: AbortSignal },
): AsyncGenerator<Batch, AttemptOutcome<Completed>> {
  const { redactor, signal } = context;
  try {
    if (signal.aborted) return { type: "aborted" };
    return yield* attempt;
  } catch (thrown) {
    if (signal.aborted) return { type: "aborted" };
    if (!(thrown instanceof RequestFailure)) throw thrown;
    const { phase, error, counted } = thrown;
    return { type: "failed", phase, error: clear(error, redactor), ...(counted && { counted }) };
  }
}

const longestMessage = 1200;

// Cut only when it is clear: half a credential would not be found.
function clear({ code, message, refusal, requestId, ...rest }: ModelError, redactor: Redactor): ModelError {
  return {
    ...rest,
    ...(refusal !== undefined && { refusal: clearRefusal(refusal, (text) => redactor.clear(text)) }),
    code: redactor.clear(code),
    message: shortenText(redactor.clear(message), longestMessage),
    ...(requestId !== undefined && { requestId: redactor.clear(requestId) }),
  };
}

/** Names of members and types are the server's words, too. */
function clearRefusal(refusal: Refusal, clearText: (text: string) => string): Refusal {
  switch (refusal.type) {
    case "overflow":
    case "content":
    case "roles":
      return refusal;
    case "member":
      return { ...refusal, paths: refusal.paths.map(clearText) };
    case "item":
      return { ...refusal, itemType: clearMaybe(refusal.itemType), path: clearMaybe(refusal.path) };
    case "tool":
      return { ...refusal, toolType: clearMaybe(refusal.toolType) };
  }

  function clearMaybe(text: string | null): string | null {
    return text === null ? null : clearText(text);
  }
}
