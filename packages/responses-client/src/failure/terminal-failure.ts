import { isOverload, type ModelError, type ResponseTerminalEvent } from "@unroll/protocol";
import { composeMessage, RequestFailure } from "./request-failure.ts";
import { readRetryAfter } from "./retry-after.ts";
import { adviseOnRefusal, nameRefusal, findRefusal, isNotReady } from "./words/find-refusal.ts";
import { toServerWords } from "./words/server-words.ts";

export type FailedEvent = Exclude<ResponseTerminalEvent, { readonly type: "response.completed" }>;

// Besides an overload: the same request may well succeed later. Any other code is about the request itself. (The API
// reference, `response.error`.)
const passingCodes: ReadonlySet<string> = new Set(["server_error", "vector_store_timeout", "server_not_ready"]);

/** The failure that a stream ended with by its own account. `origin` is the host and, where known, the request id. */
export function createTerminalFailure(
  event: FailedEvent,
  { host, ...origin }: { readonly host: string; readonly requestId?: string },
): RequestFailure {
  if (event.type === "response.incomplete") {
    const reason = event.response.incomplete_details?.reason ?? "no reason given";
    const message = `${host} stopped before its answer was complete (${reason}). Ask for less, or in other words.`;
    const { id: responseId, usage } = event.response;
    const counted = usage ? { counted: { responseId, usage } } : {};
    return new RequestFailure("stream", { code: "incomplete", message, retryable: false, ...origin }, counted);
  }
  const { code: ownCode, message: said } = readError(event);
  const words = toServerWords({ code: ownCode, message: said, params: [], numbers: {} }, null);
  const refusal = findRefusal(words);
  const code = nameRefusal(refusal) ?? (isNotReady(words) ? "server_not_ready" : ownCode);
  const retryAfterMs = readRetryAfter({}, said, 0);
  const retryable = refusal === null && (isOverload({ code }) || passingCodes.has(code));
  const advice = refusal === null ? (retryable ? "Try again later." : "") : adviseOnRefusal(refusal);
  const error: ModelError = {
    code,
    message: composeMessage(`${host} could not finish its answer (${code})`, said, advice),
    retryable,
    ...(refusal !== null && { refusal }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...origin,
  };
  return new RequestFailure("stream", error);
}

function readError(event: Exclude<FailedEvent, { readonly type: "response.incomplete" }>): {
  code: string;
  message: string;
} {
  const error = event.type === "error" ? event : event.response.error;
  return { code: error?.code ?? "server_error", message: error?.message ?? "" };
}
