import type { HttpAnswer } from "@unroll/auth";
import type { ResolvedConfig } from "@unroll/config";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { Host } from "../host/host.ts";

/** In ms: long for a server on this machine, short for a user who waits. */
const answerTimeoutMs = 5000;

/** Asks a local server about itself. */
export interface LocalServer {
  /** Its address without the `/v1` of its API: `http://localhost:11434`. */
  readonly origin: string;
  /**
   * Sends a request; the path begins with `/`. Null body: a GET. Throws `Unreachable` if nothing
   * answers in time.
   */
  ask(path: string, body?: object | null): Promise<LocalAnswer>;
  /** Sends a request whose response may take any time, and is read in parts. */
  open(path: string, body: object): Promise<HttpAnswer>;
}

interface LocalAnswer {
  readonly status: number;
  /** Undefined: not JSON. */
  readonly json: unknown;
}

/** Nothing answers; the message is the system's reason. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/**
 * The server of the config's provider on this machine, asked with the headers and the key of its
 * requests. Throws `HarnessError` `invalid_options` for a wrong shape.
 */
export function openLocalServer({ provider }: ResolvedConfig, { env, signal }: LocalContext): LocalServer {
  const origin = provider.baseUrl.replace(/\/v1$/, "");
  async function send(path: string, body: object | null, ends: AbortSignal): Promise<HttpAnswer> {
    const what = body === null ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) };
    const headers = await toHeaders(provider, env);
    try {
      const { sendHttp } = await import("@unroll/auth");
      return await sendHttp(new URL(`${origin}${path}`), { ...what, headers, signal: ends }, env);
    } catch (error) {
      throw toUnreachable(error, { signal, ends });
    }
  }

  return {
    origin,
    async ask(path, body = null) {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
      const answer = await send(path, body, ends);
      try {
        const { text } = await import("node:stream/consumers");
        return { status: answer.statusCode ?? 0, json: parse(await text(answer)) };
      } catch (error) {
        throw toUnreachable(error, { signal, ends });
      }
    },
    open: (path, body) => send(path, body, signal),
  };
}

async function toHeaders(
  provider: ResolvedConfig["provider"],
  env: LocalContext["env"],
): Promise<Readonly<Record<string, string>>> {
  const { resolveCredential, resolveRequestParts } = await import("@unroll/config");
  const credential = resolveCredential(provider, env);
  return {
    ...resolveRequestParts(provider, env).headers,
    ...(credential.type === "bearer" && { authorization: `Bearer ${credential.token}` }),
    "content-type": "application/json",
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Waiting {
  /** The caller's signal. */
  readonly signal: AbortSignal;
  /** Aborts with the caller's signal, or when the time is up. */
  readonly ends: AbortSignal;
}

function toUnreachable(error: unknown, { signal, ends }: Waiting): Error {
  if (signal.aborted) return signal.reason instanceof Error ? signal.reason : new Unreachable("stopped");
  // `localhost` has two addresses, each refused separately.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const silence = ends.aborted ? `no answer for ${answerTimeoutMs / 1000} s` : null;
  const reason = silence ?? reasons[systemErrorCode(first) ?? ""] ?? describeSystemError(first);
  return new Unreachable(reason, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it hung up",
  ENOTFOUND: "there is no such host",
};

/** Context of a request to a local server, besides the config. */
export interface LocalContext {
  /** Holds the provider's key, if needed, and the proxy settings. */
  readonly env: Host["env"];
  readonly signal: AbortSignal;
}
