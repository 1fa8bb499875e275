import { isUsedUp, type ModelError, type Refusal } from "@unroll/protocol";
import * as z from "zod";
import { parseJson } from "../decode/slice-json.ts";
import { composeMessage, RequestFailure } from "./request-failure.ts";
import { describeReset } from "./describe-reset.ts";
import { readRetryAfter } from "./retry-after.ts";
import { adviseOnRefusal, nameRefusal, findRefusal, isNotReady } from "./words/find-refusal.ts";
import { toServerWords, type ServerWords } from "./words/server-words.ts";

/** An HTTP answer that is not the one asked for. `body` may be only its beginning. */
interface RefusedAnswer {
  readonly host: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface FailureContext {
  readonly nowMs: number;
  /** Advice for the user about a rejected credential; null: none. */
  readonly remedy: string | null;
}

/**
 * The failure of a status that is not 2xx. 408, 425, 429 and 5xx can be tried again, and 409 if the server says when, unless a quota
 * is used up, or the server says that it is the request: that fails the same way each time. `x-should-retry` overrides the status.
 */
export function createHttpFailure(answer: RefusedAnswer, { nowMs, remedy }: FailureContext): RequestFailure {
  const { status, headers, body } = answer;
  const said = parseServerError(body);
  const words = toServerWords(said, status);
  const isSpent = isUsedUp({ code: said.code ?? "", status }); // comes as 429 like a rate limit
  const refusal = isSpent ? null : findRefusal(words);
  const retryAfterMs = readRetryAfter(headers, said.message ?? "", nowMs);
  const code = nameRefusal(refusal) ?? (isNotReady(words) ? "server_not_ready" : nameFailure(status, said.code));
  const reset = status === 429 && refusal === null ? describeReset(said.numbers, nowMs) : null;
  const advice = isSpent ? "Check the plan and the billing of the account." : advise(status, { code, refusal, remedy });
  const isPassing = isPassingStatus(answer, retryAfterMs) && !isSpent && refusal === null;
  const error: ModelError = {
    code,
    message: composeMessage(describe(answer), said.message ?? said.code, reset ?? advice),
    retryable: isPassing,
    status,
    ...(refusal !== null && { refusal }),
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...readRequestId(headers),
  };
  return new RequestFailure("request", error);
}

/** `x-should-retry` is OpenAI's header, which gateways pass on. */
function isPassingStatus({ status, headers }: RefusedAnswer, retryAfterMs: number | null): boolean {
  const word = headers["x-should-retry"];
  if (word === "true" || word === "false") return word === "true";
  return [408, 425, 429].includes(status) || status >= 500 || (status === 409 && retryAfterMs !== null);
}

/** Servers name what a program tells by one code in many ways: a lost login, and a limit. Other codes are the server's own. */
function nameFailure(status: number, code: string | null): string {
  if (status === 401) return "unauthorized";
  const isOwn = status !== 429 || code === "rate_limit_exceeded" || isUsedUp({ code: code ?? "", status });
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

/** A server's own description of its error; null: there is none. */
interface ServerError extends Pick<ServerWords, "code" | "params" | "numbers"> {
  readonly message: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const text = z.string().nonempty().nullable().catch(null);
const wordsSchema = z.object({ code: text, type: text, message: text, param: text });
/** As FastAPI and zod list what is wrong with a request. The rest of such an issue may repeat the request. */
const issueSchema = z.object({
  loc: z.array(z.union([z.string(), z.number()])).catch([]),
  path: z.array(z.union([z.string(), z.number()])).catch([]),
  msg: text,
  message: text,
});

const nothing: ServerError = { code: null, message: null, params: [], numbers: {} };

/**
 * Reads the body of an HTTP error: `{error: {code, type, message, param}}`, or what other servers send in its place: the same members
 * without a frame, `error` or `detail` as text, a list of issues, plain text. The code is the server's `code`, else its `type`:
 * `usage_limit_reached` comes as one.
 */
function parseServerError(body: string): ServerError {
  const value = parseJson(body);
  if (!isFields(value)) return { ...nothing, message: typeof value === "string" ? value : readPlain(body) };
  const { response, detail } = value; // some send a failed response instead of an error
  const { error = isFields(response) ? response["error"] : undefined } = value;
  if (typeof error === "string") return { ...readDetails(value), message: error };
  if (Array.isArray(error)) return readIssues(error);
  if (typeof detail === "string") return { ...nothing, message: detail };
  if (Array.isArray(detail)) return readIssues(detail);
  return isFields(error) ? readDetails(error, value) : readDetails(value);
}

/** `around`: gateways put what their own upstream said beside the error. */
function readDetails(details: Fields, around: Fields = {}): ServerError {
  const { code, type, message, param } = wordsSchema.parse(details);
  const ownCode = /^\d+$/.test(code ?? "") ? null : code; // LiteLLM has its status there
  const raw = [details["metadata"], around["metadata"]].map((each) => (isFields(each) ? each["raw"] : null));
  const upstream = raw.find((each) => typeof each === "string") ?? null;
  const said = [message, upstream].filter((each) => typeof each === "string");
  return {
    code: ownCode ?? type,
    message: said.length === 0 ? null : said.join(" "),
    params: param === null ? [] : [param],
    numbers: Object.fromEntries(Object.entries(details).flatMap(([key, each]) => (isCount(each) ? [[key, each]] : []))),
  };
}

function readIssues(issues: readonly unknown[]): ServerError {
  const parsed = issues.flatMap((issue) => issueSchema.safeParse(issue).data ?? []);
  const found = parsed.map(({ loc, path, msg, message }) => ({
    path: [...loc, ...path].filter((part) => part !== "body").join("."),
    message: msg ?? message ?? "",
  }));
  const said = found.map((each) => (each.path === "" ? each.message : `${each.path}: ${each.message}`)).join("; ");
  return {
    ...nothing,
    message: said === "" ? null : said,
    params: found.flatMap(({ path }) => (path === "" ? [] : [path])),
  };
}

const longestPlain = 1000;

/** A web page is not a message. */
function readPlain(body: string): string | null {
  const plain = body.trim();
  return plain === "" || /^[<[{]/.test(plain) || plain.includes("\u0000") ? null : plain.slice(0, longestPlain);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
