import type { IncomingMessage } from "node:http";
import { describeThrown } from "@unroll/text";
import type { Network } from "../settings/auth-settings.ts";
import { AuthError } from "../fault/auth-error.ts";

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks a server once; follows no redirect. Throws `AuthError`, also for a host that may not be asked, and an `AbortError`. */
export type SendRequest = (url: string, request: HttpRequest) => Promise<Response>;

export interface SendOptions extends Network {
  /** With their ports, where these are not the usual ones. */
  readonly hosts: ReadonlySet<string>;
}

const requestMs = 30_000;
/** More than any answer about logins has. */
const maxAnswerBytes = 1024 * 1024;

/**
 * What asks the servers of a login, and no other. On node:https as the requests to models are, so that a proxy is found the same
 * way (decision 4).
 */
export function createSendRequest({ hosts, proxyEnv }: SendOptions): SendRequest {
  return async (target, request) => {
    const url = new URL(target);
    if (!hosts.has(url.host)) {
      const message = `${url.host} was not asked: the login's server names it, and the config does not. If it is right, add it to login.hosts in config.toml.`;
      throw new AuthError("server_refused", message);
    }
    const limits = [AbortSignal.timeout(requestMs), ...(request.signal ? [request.signal] : [])];
    const signal = AbortSignal.any(limits);
    try {
      const response = await begin(url, { ...request, signal }, proxyEnv);
      return await toResponse(response);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw unreachable(url.host, error);
    }
  };
}

async function begin(url: URL, request: HttpRequest, proxyEnv: Network["proxyEnv"]): Promise<IncomingMessage> {
  const { Agent, request: open } = url.protocol === "http:" ? await import("node:http") : await import("node:https");
  const body = request.body ? String(request.body) : "";
  const headers = { ...request.headers, "content-length": String(Buffer.byteLength(body)) };
  const agent = new Agent({ proxyEnv: { ...proxyEnv } }); // no keep-alive: there is rarely a second request
  const { method, signal } = request;
  return new Promise((resolve, reject) => {
    open(url, { method, headers, agent, signal }, resolve).on("error", reject).end(body);
  });
}

async function toResponse(message: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of message) {
    if (!(chunk instanceof Uint8Array)) continue;
    chunks.push(new Uint8Array(chunk));
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error("its answer is too large");
  }
  const status = message.statusCode ?? 0;
  const headers = Object.entries(message.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? new Blob(chunks) : null, { status, headers });
}

function unreachable(host: string, error: unknown): AuthError {
  const reason = describeThrown(error);
  return new AuthError("server_unreachable", `${host} cannot be reached for the login: ${reason}.`, {
    cause: error,
    retryable: true,
  });
}
