import { type Answer, planError, planHttpAnswer } from "../answer/plan-answer.ts";
import { toTokens } from "../answer/estimate-usage.ts";
import { comparePrefix } from "../check/prefix-law.ts";
import { sliceBody } from "../request/slice-body.ts";

/** The answer to `POST /responses/input_tokens`: what `usage.input_tokens` would be of a response to this body. */
export function countInputTokens(bytes: Buffer): Answer {
  try {
    const { promptBytes } = comparePrefix(null, sliceBody(bytes, null));
    const body = { object: "response.input_tokens", input_tokens: toTokens(promptBytes) };
    return planHttpAnswer({ status: 200, body });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return planError("invalid_body", `The body is not JSON: ${error.message}`);
  }
}
