import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk/unstable";
import { ThreadHostError } from "@unroll/thread-host";
import { exitCodes, toProgramFailure, toTurnExitCode } from "@unroll/program";
import type { TurnError, TurnOutcome } from "@unroll/protocol";

const sessionMissing = -32002;
const notNow = -32600;
const wrongInput = -32602;

/** The session does not exist, or is not open. */
export function toMissing(sessionId: string, message: string): RequestError {
  return new RequestError(sessionMissing, message, { sessionId });
}

/** An error as the client gets it. For a bug of ours, `complain` gets the stack. */
export function toRequestError(thrown: unknown, complain: (text: string) => void): RequestError {
  if (thrown instanceof RequestError) return thrown;
  if (thrown instanceof ThreadHostError)
    return new RequestError(thrown.isOfInput ? wrongInput : notNow, thrown.message, { code: thrown.code });
  const { error, exitCode, stack } = toProgramFailure(thrown);
  if (stack !== null) {
    complain(stack);
    return new RequestError(-32603, error.message, { code: error.code });
  }
  if (error.code === "thread_missing") return new RequestError(sessionMissing, error.message, { code: error.code });
  if (exitCode === exitCodes.auth) return toAuthRequired(error);
  if (error.code === "interrupted") return RequestError.requestCancelled({ code: error.code });
  return new RequestError(wrongInput, error.message, { code: error.code });
}

/** The client then offers the login methods of `initialize`. */
export function toAuthRequired({ code, message }: Pick<TurnError, "code" | "message">): RequestError {
  return new RequestError(-32000, message, { code, authRequired: true });
}

/** How a turn ended. Throws `RequestError` for a failure that the protocol has no stop reason for. */
export function toPromptResponse(outcome: TurnOutcome): PromptResponse {
  switch (outcome.type) {
    case "completed":
      return { stopReason: "end_turn" };
    case "interrupted":
      return { stopReason: "cancelled" };
    case "failed":
      return toStopped(outcome.error);
  }
}

function toStopped(error: TurnError): PromptResponse {
  const { code, message, budget } = error;
  if (code === "interrupted") return { stopReason: "cancelled" };
  if (budget?.limit === "max_turns") return { stopReason: "max_turn_requests" };
  if (code === "incomplete" && message.includes("max_output_tokens")) return { stopReason: "max_tokens" };
  if (code === "incomplete" && message.includes("content_filter")) return { stopReason: "refusal" };
  if (toTurnExitCode(code) === exitCodes.auth) throw toAuthRequired(error);
  throw new RequestError(-32603, message, { code });
}
