import type { Clock } from "@unroll/flow";
import type { RateLimits } from "@unroll/protocol";
import * as z from "zod";
import { toNetworkFailure, toRestartFailure } from "../failure/network-failure.ts";
import { toQuerySecrets, toSecrets, type Redactor } from "../failure/redactor.ts";
import { RequestFailure } from "../failure/request-failure.ts";
import type { AuthorizationHeaders, ProviderEndpoint, CredentialProvider } from "../ports.ts";
import { acceptAnswer } from "./accept-answer.ts";
import { type Call, createThreadAffinity } from "./call.ts";
import type { Connections } from "./connections.ts";
import { openExchange, type Answer } from "./exchange.ts";
import { readRateLimits } from "./read-rate-limits.ts";

/** A call with the headers of a credential. */
interface AuthorizedCall extends Call {
  readonly authorization: AuthorizationHeaders;
  /** As of `CredentialProvider`; null: it has none. */
  readonly remedy: string | null;
}

/** Sends a call once. Gives an answer of status 2xx and of the type asked for; throws a `RequestFailure` for any other. */
type SendOnce = (call: AuthorizedCall, signal: AbortSignal) => Promise<Answer>;

interface SendContext {
  readonly provider: ProviderEndpoint;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly redactor: Redactor;
  readonly onRateLimits?: ((limits: RateLimits) => void) | undefined;
}

const connectTimeoutMs = 15_000;
const firstByteTimeoutMs = 300_000;

export function createSend(context: SendContext): SendOnce {
  const { provider, identity, clock, connections, redactor, onRateLimits } = context;
  redactor.learn([...toSecrets(provider.headers), ...toQuerySecrets(provider.queryParams)]);
  const affinity = createThreadAffinity(provider.threadHeaders ?? "hyphen");
  let hasAnswered = false;
  return async (call, signal) => {
    const url = readUrl(provider, call);
    const { authorization, origin } = call;
    redactor.learn(toSecrets(authorization));
    const thread = origin === undefined ? {} : affinity.toHeaders(origin);
    const headers = toRequestHeaders(call, { identity, thread, configured: provider.headers, authorization });
    const answer = await openExchange(
      { url, headers, body: call.body },
      {
        connector: await connections.load(url),
        clock,
        connectTimeoutMs: provider.connectTimeoutMs ?? connectTimeoutMs,
        firstByteTimeoutMs: provider.firstByteTimeoutMs ?? firstByteTimeoutMs,
        signal,
      },
    ).catch((error: unknown) => {
      throw hasAnswered ? toRestartFailure(error, url.host) : error;
    });
    hasAnswered = true;
    const limits = onRateLimits === undefined ? null : readRateLimits(answer.headers);
    if (limits !== null) onRateLimits?.(limits);
    const accepted = await acceptAnswer(answer, call, clock);
    if (origin !== undefined) affinity.learn(origin, accepted.headers);
    return accepted;
  };
}

function readUrl(provider: ProviderEndpoint, call: Call): URL {
  const queryParams = { ...provider.queryParams, ...call.queryParams };
  try {
    return toEndpointUrl({ baseUrl: provider.baseUrl, queryParams }, call.path);
  } catch (error) {
    throw toNetworkFailure(error, { host: `the provider ${provider.id}`, proxy: null });
  }
}

/** The address of an endpoint: `base_url`, the path, then `query_params` over a query that `base_url` holds. */
function toEndpointUrl({ baseUrl, queryParams }: Pick<ProviderEndpoint, "baseUrl" | "queryParams">, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  for (const [name, value] of Object.entries(queryParams)) url.searchParams.set(name, value);
  return url;
}

/** The harness's identification. */
interface Identity {
  readonly userAgent: string;
  readonly originator: string;
}

interface HeaderSources {
  readonly identity: Identity;
  /** Which thread it belongs to. */
  readonly thread: Readonly<Record<string, string>>;
  /** From the config of the provider. */
  readonly configured: Readonly<Record<string, string>>;
  readonly authorization: Readonly<Record<string, string>>;
}

/** The headers of a call, names in lower case. Config wins over identity; what the body is and the credential over both. */
function toRequestHeaders(
  call: Call,
  { identity, thread, configured, authorization }: HeaderSources,
): Record<string, string> {
  const identified = { "user-agent": identity.userAgent, originator: identity.originator };
  const content = call.body === null ? {} : describeContent(call.body);
  return Object.fromEntries(
    [identified, thread, configured, { accept: call.accept }, content, authorization].flatMap((headers) =>
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  );
}

function describeContent(body: readonly Uint8Array[]): Readonly<Record<string, string>> {
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  return { "content-type": "application/json", "content-length": String(length) };
}

/** Sends a call with a credential; else as `SendOnce`. */
type Send = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** Sends again, once, with a refreshed credential where the server did not accept the one it got. */
export function withRefresh(send: SendOnce, credential: CredentialProvider): Send {
  const { remedy = null } = credential;
  return async (call, signal) => {
    const authorization = await authorize(credential, signal);
    try {
      return await send({ ...call, authorization, remedy }, signal);
    } catch (error) {
      const isRefused = error instanceof RequestFailure && error.error.status === 401;
      if (!isRefused || !(await refresh(credential, authorization, signal))) throw error;
      return send({ ...call, authorization: await authorize(credential, signal), remedy }, signal);
    }
  };
}

async function refresh(
  credential: CredentialProvider,
  refused: AuthorizationHeaders,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await credential.refresh?.(refused, signal)) ?? false;
  } catch (error) {
    throw toCredentialFailure(error);
  }
}

const expectedErrorSchema = z.object({ code: z.string(), message: z.string(), retryable: z.boolean().catch(false) });

/** The headers of the credential. An error with a `code` becomes a `RequestFailure`, any other is a bug. */
async function authorize(credential: CredentialProvider, signal: AbortSignal): Promise<AuthorizationHeaders> {
  try {
    return await credential.authorization(signal);
  } catch (error) {
    throw toCredentialFailure(error);
  }
}

function toCredentialFailure(error: unknown): unknown {
  const parsed = expectedErrorSchema.safeParse(error);
  return parsed.success ? new RequestFailure("request", parsed.data, { cause: error }) : error;
}
