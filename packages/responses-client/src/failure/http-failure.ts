import type { ModelError, Refusal } from "@unroll/protocol";
import { composeMessage } from "./compose-message.ts";
import { RequestFailure } from "./request-failure.ts";
import { readRetryAfter } from "./retry-after.ts";
import { parseServerError } from "./server-error.ts";
import { adviseOnRefusal, nameRefusal } from "./tell-refusal.ts";
import { findRefusal } from "./words/find-refusal.ts";
import { isNotReady } from "./words/is-not-ready.ts";
import { toServerWords } from "./words/server-words.ts";

/** An HTTP answer that is not the one asked for. `body` may be only its beginning. */
export interface RefusedAnswer {
  readonly host: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface FailureContext {
  readonly nowMs: number;
  /** What a person does about a credential that was not accepted; null: not known. */
  readonly remedy: string | null;
}

// These come as 429 like a rate limit, but no wait within a turn helps.
const spentCodes: ReadonlySet<string> = new Set(["usage_limit_reached", "usage_not_included", "insufficient_quota"]);

/**
 * The failure of a status that is not 2xx. 408, 429 and 5xx can be tried again, unless a quota is used up, or the server says that
 * it is the request: that fails the same way each time.
 */
export function createHttpFailure(answer: RefusedAnswer, { nowMs, remedy }: FailureContext): RequestFailure {
  const { status, headers, body } = answer;
  const said = parseServerError(body);
  const words = toServerWords(said, status);
  const isSpent = said.code !== null && spentCodes.has(said.code);
  const refusal = isSpent ? null : findRefusal(words);
  const retryAfterMs = readRetryAfter(headers, said.message ?? "", nowMs);
  const code = nameRefusal(refusal) ?? (isNotReady(words) ? "server_not_ready" : nameFailure(status, said.code));
  const advice = isSpent ? "Check the plan and the billing of the account." : advise(status, { code, refusal, remedy });
  const isPassing = (status === 408 || status === 429 || status >= 500) && !isSpent && refusal === null;
  const error: ModelError = {
    code,
    message: composeMessage(describe(answer), said.message ?? said.code, advice),
    retryable: isPassing,
    status,
    ...(refusal !== null && { refusal }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...readRequestId(headers),
  };
  return new RequestFailure("request", error);
}

/** Servers name what a program tells by one code in many ways: a lost login, and a limit. Other codes are the server's own. */
function nameFailure(status: number, code: string | null): string {
  if (status === 401) return "unauthorized";
  const isOwn = status !== 429 || code === "rate_limit_exceeded" || spentCodes.has(code ?? "");
  return (isOwn ? code : null) ?? `http_${status}`;
}

/**
 * The failure of a 2xx answer of another kind than `expected`: a proxy's page, an address that is not a model server's; or a server
 * that says with 200 what it refuses.
 */
export function createWrongTypeFailure(answer: RefusedAnswer, expected: string): RequestFailure {
  const { host, status, headers, body } = answer;
  const said = parseServerError(body);
  const refusal = findRefusal(toServerWords(said, null));
  const what =
    refusal === null
      ? `${host} answered with ${String(headers["content-type"])} where ${expected} was expected`
      : `${host} refused the request (${status})`;
  const advice = refusal === null ? "Check that base_url names a Responses API." : adviseOnRefusal(refusal);
  const error = {
    code: nameRefusal(refusal) ?? "invalid_answer",
    message: composeMessage(what, said.message, advice),
    retryable: false,
    status,
    ...(refusal !== null && { refusal }),
    ...readRequestId(headers),
  };
  return new RequestFailure("request", error);
}

/** The id by which the server knows the request, to be spread into a `ModelError`. */
export function readRequestId(headers: RefusedAnswer["headers"]): { readonly requestId?: string } {
  const requestId = headers["x-request-id"];
  return typeof requestId === "string" ? { requestId } : {};
}

function describe({ host, status, headers }: RefusedAnswer): string {
  if (status === 401) return `${host} did not accept the credential (401)`;
  if (status === 429) return `${host} accepts no more requests for now (429)`;
  if (status >= 500) return `${host} could not answer (${status})`;
  if (isRedirect(status)) return `${host} redirects to ${readTarget(headers["location"])} (${status})`;
  return `${host} refused the request (${status})`;
}

function readTarget(location: string | string[] | undefined): string {
  const target = typeof location === "string" ? URL.parse(location) : null;
  return target === null ? "another address" : target.host;
}

interface Advised extends Pick<FailureContext, "remedy"> {
  readonly code: string;
  readonly refusal: Refusal | null;
}

function advise(status: number, { code, refusal, remedy }: Advised): string {
  if (refusal !== null) return adviseOnRefusal(refusal);
  if (code === "server_not_ready") return "Wait until it is ready.";
  if (status === 401) return remedy ?? "Check the key.";
  if (status === 403) return "Check what the key may do.";
  if (status === 404) return "Check base_url and the name of the model.";
  if (status === 429 || status >= 500) return "Try again later.";
  if (isRedirect(status)) return "Set base_url to the address it redirects to.";
  return "";
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
