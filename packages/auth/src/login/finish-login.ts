import type { Clock } from "@unroll/flow";
import type { TokenAnswer } from "../server/parse-token-answer.ts";
import type { LoginResult } from "./login-outcome.ts";

/** Converts a token endpoint's response at the end of a login. */
export function finishLogin(answer: TokenAnswer, { now }: Pick<Clock, "now">): LoginResult {
  if (answer.type === "tokens")
    return { type: "tokens", login: { type: "tokens", ...answer.tokens, renewedAt: now() } };
  const why = answer.description ?? answer.code;
  return { type: "failed", message: `The server did not accept the login: ${why}. Run it again.` };
}
