import { createHttpFailure } from "../failure/http-failure.ts";
import { toNetworkFailure } from "../failure/network-failure.ts";
import type { RequestFailure } from "../failure/request-failure.ts";

/**
 * Why a client of `openai` gave no answer, from what it threw: an `APIError` with a status, or one around what `fetch` threw.
 * Told by their shape: the package is not ours to import.
 */
export function toOpenAIFailure(thrown: unknown, host: string, nowMs: number): RequestFailure {
  const status = read(thrown, "status");
  if (typeof status !== "number") return toNetworkFailure(findCause(thrown), host);
  const headers = read(thrown, "headers");
  const body = JSON.stringify({ error: read(thrown, "error") ?? { message: read(thrown, "message") } });
  const known = headers instanceof Headers ? Object.fromEntries(headers) : {};
  return createHttpFailure({ host, status, headers: known, body }, nowMs);
}

/** `fetch` puts the error of the socket into the cause of its own. */
function findCause(thrown: unknown): unknown {
  const cause = read(thrown, "cause");
  return cause === undefined ? thrown : findCause(cause);
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
