import { describeServerFailure } from "@unroll/text";
import type { Network } from "../auth-settings.ts";
import { AuthError } from "../auth-error.ts";
import { sendHttp } from "./send-http.ts";
import { toResponse } from "./to-response.ts";

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends one request; follows no redirect. Throws `AuthError`, also for a host that must not be
 * contacted, and an `AbortError`.
 */
export type SendRequest = (url: string, request: HttpRequest) => Promise<Response>;

export interface SendOptions extends Network {
  /** With their ports, if these are not the usual ones. */
  readonly hosts: ReadonlySet<string>;
}

const requestMs = 30_000;
/** More than any response about logins has. */
const maxAnswerBytes = 1024 * 1024;

/** Creates a function that contacts the servers of a login, and no others. */
export function createSendRequest({ hosts, proxyEnv }: SendOptions): SendRequest {
  return async (target, request) => {
    const url = new URL(target);
    if (!hosts.has(url.host)) {
      const message = `Did not contact ${url.host}: the login's server names it, but your config does not. If you trust it, add it to login.hosts in config.toml.`;
      throw new AuthError("server_refused", message);
    }
    const limits = [AbortSignal.timeout(requestMs), ...(request.signal ? [request.signal] : [])];
    const signal = AbortSignal.any(limits);
    try {
      const body = request.body ? String(request.body) : "";
      const headers = { ...request.headers, "content-length": String(Buffer.byteLength(body)) };
      const answer = await sendHttp(url, { method: request.method, headers, body, signal }, proxyEnv);
      return await readWhole(toResponse(answer));
    } catch (error) {
      request.signal?.throwIfAborted();
      throw unreachable(url.host, error);
    }
  };
}

/** Reads it to its end, up to `maxAnswerBytes`. */
async function readWhole(response: Response): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = new Uint8Array(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxAnswerBytes) throw new Error("its response is too large");
  }
  const { status, headers, body } = response;
  return new Response(body === null ? null : new Blob(chunks), { status, headers });
}

function unreachable(host: string, error: unknown): AuthError {
  const reason = describeServerFailure(error).replace(/\.$/, "");
  return new AuthError("server_unreachable", `${host} cannot be reached for the login: ${reason}.`, {
    cause: error,
    retryable: true,
  });
}
