import type { ProxySetting } from "@unroll/text";
import * as z from "zod";
import { RequestFailure } from "./request-failure.ts";

export type TimeoutCode = "connect_timeout" | "first_byte_timeout" | "idle_timeout";

/** The facts of a node:http error, without its text, which may hold the password of a proxy. */
const systemErrorSchema = z
  .object({
    code: z.string(),
    address: z.string().optional(),
    port: z.number().optional(),
    statusCode: z.number().optional(),
  })
  .catch({ code: "unknown" });

const reasons: readonly { codes: RegExp; reason: string; advice: string; retryable: boolean }[] = [
  {
    codes: /^ECONNREFUSED$/,
    reason: "connection refused",
    advice: "check that the server is running and that base_url is right",
    retryable: true,
  },
  {
    codes: /^(ECONNRESET|EPIPE)$/,
    reason: "the connection was reset",
    advice: "try again, or check that base_url names a model server",
    retryable: true,
  },
  {
    codes: /^(EMFILE|ENFILE)$/,
    reason: "too many files are open",
    advice: "raise the limit of open files: ulimit -n 1024",
    retryable: true,
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    reason: "its name does not resolve",
    advice: "check base_url and the network",
    retryable: true,
  },
  {
    codes: /CERT|SIGNATURE/,
    reason: "its certificate is not trusted",
    advice:
      "check base_url, or start unroll with SSL_CERT_FILE=/path/to/authority.pem (or NODE_USE_SYSTEM_CA=1, if the system trusts it)",
    retryable: false,
  },
  {
    codes: /^(EPROTO|ERR_SSL)/,
    reason: "it does not speak TLS",
    advice: "check whether base_url should begin with http:",
    retryable: false,
  },
  {
    codes: /^ERR_(HTTP_)?INVALID_(CHAR|HTTP_TOKEN|HEADER)/,
    reason: "the key or another header cannot be sent",
    advice: "check the key and http_headers for line breaks and for characters that are not ASCII: keys have none",
    retryable: false,
  },
  {
    codes: /^ERR_(INVALID_PROTOCOL|INVALID_URL|UNESCAPED)/,
    reason: "its address is malformed",
    advice: "make base_url an http: or https: URL",
    retryable: false,
  },
  {
    codes: /^HPE_/,
    reason: "its answer is not HTTP",
    advice: "check that base_url names a model server",
    retryable: false,
  },
];

const unknownReason = { reason: "no connection", advice: "check the network", retryable: true };

/** The errors of a connection to a proxy; then the server was not reached at all. */
const proxyCodes = /^(ERR_PROXY_TUNNEL|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/** The server of a request, and the way to it. */
export interface Target {
  readonly host: string;
  /** Null: none is used. */
  readonly proxy: ProxySetting | null;
}

/** Why no answer began, from what node:http threw or emitted. */
export function toNetworkFailure(cause: unknown, { host, proxy }: Target): RequestFailure {
  const { code, address, port, statusCode } = systemErrorSchema.parse(cause);
  const known = reasons.find(({ codes }) => codes.test(code)) ?? unknownReason;
  const throughProxy = proxy !== null && proxyCodes.test(code);
  const { reason, advice, retryable } = throughProxy ? describeProxyFault(code, proxy, known) : known;
  // One that may open no more files accepts connections only to drop them.
  const isOwnServer = code === "ECONNRESET" && loopback.test(host);
  const hint = isOwnServer ? ", and may open enough files and connections (ulimit -n)" : "";
  const details = [code, address && `${address}:${port}`, statusCode].filter(Boolean).join(", ");
  const error = {
    code: code.startsWith("HPE_") ? "invalid_answer" : "connection_failed",
    message: `Could not reach ${host}${throughProxy ? " " : ": "}${reason} (${details}); ${advice}${hint}.`,
    retryable: retryable && statusCode !== 407,
  };
  return new RequestFailure("request", error, { cause });
}

/**
 * A server on this machine that answered before and refuses connections now is being restarted, or ended: that is worth a wait. Any other
 * failure stays as it is.
 */
export function toRestartFailure(failure: unknown, host: string): unknown {
  if (!(failure instanceof RequestFailure) || !loopback.test(host)) return failure;
  const { code } = systemErrorSchema.parse(failure.cause);
  if (code !== "ECONNREFUSED") return failure;
  const message = `${host} answered before and refuses connections now (${code}): it is restarting, or has ended.`;
  return new RequestFailure("request", { code: "server_not_ready", message, retryable: true }, { cause: failure });
}

const loopback = /^(localhost|127\.|\[::1\])/;

type Reason = typeof unknownReason;

function describeProxyFault(code: string, { host, variable }: ProxySetting, known: Reason): Reason {
  const reason = code === "ERR_PROXY_TUNNEL" ? "it opened no tunnel" : known.reason;
  const advice =
    code === "ERR_PROXY_TUNNEL" ? "check its user and password" : `check that it runs, or change ${variable}`;
  return { reason: `through the proxy ${host} (${variable}): ${reason}`, advice, retryable: known.retryable };
}

/** The variable is set, but names no HTTP proxy. */
export function createProxySettingsFailure(variable: string): RequestFailure {
  const message = `The proxy in ${variable} cannot be used; write it as http://HOST:PORT, or unset ${variable}. SOCKS proxies are not supported.`;
  return new RequestFailure("request", { code: "connection_failed", message, retryable: false });
}

/** The body has an encoding that nobody asked for, and that is unknown. */
export function createEncodingFailure(host: string, encoding: string | undefined): RequestFailure {
  const message = `${host} encoded its answer (content-encoding: ${encoding}), although the request asked for no encoding; check the gateway or proxy in front of it.`;
  return new RequestFailure("stream", { code: "invalid_answer", message, retryable: false });
}

/** A body whose decoder failed: it ended too early, or has other bytes than its encoding. */
export function toDecodingFailure(cause: unknown, host: string): RequestFailure {
  const { code } = systemErrorSchema.parse(cause);
  if (code === "Z_BUF_ERROR") return createCutFailure(host, cause);
  const message = `The answer of ${host} cannot be decompressed (${code}); check the gateway or proxy in front of it.`;
  return new RequestFailure("stream", { code: "invalid_answer", message, retryable: false }, { cause });
}

/** The connection broke off, or the answer ended, before its last event. */
export function createCutFailure(host: string, cause?: unknown): RequestFailure {
  const message = `${host} ended its answer before it was complete; try again.`;
  return new RequestFailure("stream", { code: "stream_cut", message, retryable: true }, { cause });
}

export function createTimeoutFailure(code: TimeoutCode, afterMs: number, { host, proxy }: Target): RequestFailure {
  const seconds = afterMs / 1000;
  const through = proxy === null ? "" : ` through the proxy ${proxy.host} (${proxy.variable})`;
  const messages: Readonly<Record<TimeoutCode, string>> = {
    connect_timeout: `${host} could not be connected to${through} within ${seconds} s; check the network, the proxy and base_url.`,
    first_byte_timeout: `${host} took the request and did not begin to answer within ${seconds} s; try again later, or raise response_timeout_ms.`,
    idle_timeout: `${host} sent no event for ${seconds} s in its answer; try again, or raise stream_idle_timeout_ms.`,
  };
  const phase = code === "idle_timeout" ? "stream" : "request";
  return new RequestFailure(phase, { code, message: messages[code], retryable: true });
}

/** Ends the waits of an aborted request; it is never shown. */
export function createAbortFailure(host: string): RequestFailure {
  return new RequestFailure("request", {
    code: "aborted",
    message: `The request to ${host} was aborted.`,
    retryable: false,
  });
}
