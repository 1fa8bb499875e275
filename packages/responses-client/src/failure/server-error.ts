import * as z from "zod";
import { parseJson } from "../decode/parse-json.ts";
import type { ServerWords } from "./words/server-words.ts";

/** What a server says of its own error; null where it does not. */
export interface ServerError extends Pick<ServerWords, "code" | "params" | "numbers"> {
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
export function parseServerError(body: string): ServerError {
  const value = parseJson(body);
  if (!isFields(value)) return { ...nothing, message: typeof value === "string" ? value : readPlain(body) };
  const { error = ofResponse(value), detail } = value;
  if (typeof error === "string") return { ...readDetails(value), message: error };
  if (Array.isArray(error)) return readIssues(error);
  if (typeof detail === "string") return { ...nothing, message: detail };
  if (Array.isArray(detail)) return readIssues(detail);
  return isFields(error) ? readDetails(error, value) : readDetails(value);
}

/** A failed response in the place of an error. */
function ofResponse({ response }: Fields): unknown {
  return isFields(response) ? response["error"] : undefined;
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

/** A page is no message. */
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
