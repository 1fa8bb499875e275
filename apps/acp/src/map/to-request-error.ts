import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { ThreadHostError } from "@unroll/thread-host";
import { exitCodes, toProgramFailure } from "@unroll/program";
import type { TurnError } from "@unroll/protocol";

const sessionMissing = -32002;
const notNow = -32600;
const wrongInput = -32602;

/** There is no such session, or it is not open. */
export function toMissing(sessionId: string, message: string): RequestError {
  return new RequestError(sessionMissing, message, { sessionId });
}

/** What was thrown, as the client is told it. A bug of ours says so, and `complain` gets where it is. */
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

/** The client offers the ways to log in that `initialize` told. */
export function toAuthRequired({ code, message }: Pick<TurnError, "code" | "message">): RequestError {
  return new RequestError(-32000, message, { code, authRequired: true });
}
