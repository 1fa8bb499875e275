import type { ModelError, ModelStreamEvent, StreamOutcome } from "@unroll/protocol";
import type { ResponsesClient } from "@unroll/responses-client";

export interface AskedServer {
  readonly client: Pick<ResponsesClient, "findApi">;
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

/**
 * Returns the outcome unchanged, with one exception: if the server does not have the path, the
 * error says whether it only has chat completions.
 */
export async function* explainMissingPath(
  answer: AsyncGenerator<ModelStreamEvent, StreamOutcome>,
  { client, baseUrl, signal }: AskedServer,
): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
  const outcome = yield* answer;
  if (outcome.type !== "failed" || !isAboutPath(outcome.error)) return outcome;
  if ((await client.findApi(signal)) !== "chat_only") return outcome;
  return { ...outcome, error: { ...outcome.error, message: describeChatServer(`The server at ${baseUrl}`) } };
}

/** For the user: a server only has chat completions, and what to do. */
export function describeChatServer(who: string): string {
  return `${who} has no /responses, only /chat/completions, which unroll does not use. Update it, or put a server in front of it that has /responses.`;
}

/** A 404 about a model has a code that says so. */
function isAboutPath({ status, code }: ModelError): boolean {
  return status === 404 && !/model/i.test(code);
}
