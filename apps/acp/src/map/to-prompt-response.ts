import { type PromptResponse, RequestError } from "@agentclientprotocol/sdk/unstable";
import { exitCodes, toTurnExitCode } from "@unroll/program";
import type { TurnError, TurnOutcome } from "@unroll/protocol";
import { toAuthRequired } from "./to-request-error.ts";

/** How a turn ended. Throws `RequestError` for one that failed in a way that the protocol has no reason for. */
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
