import type { Clock } from "@unroll/flow";
import { toNetworkFailure, toRestartFailure } from "../failure/network-failure.ts";
import { toQuerySecrets, toSecrets, type Redactor } from "../failure/redactor.ts";
import type { AuthorizationHeaders } from "../port/credential-provider.ts";
import type { ProviderEndpoint } from "../port/provider-endpoint.ts";
import { acceptAnswer } from "./accept-answer.ts";
import type { Call } from "./call.ts";
import type { Connections } from "./connections.ts";
import { toEndpointUrl } from "./endpoint-url.ts";
import { openExchange, type Answer } from "./exchange.ts";
import { toRequestHeaders, type Identity } from "./request-headers.ts";
import { createThreadAffinity } from "./thread-affinity.ts";

/** A call with the headers of a credential. */
interface AuthorizedCall extends Call {
  readonly authorization: AuthorizationHeaders;
  /** As of `CredentialProvider`; null: it has none. */
  readonly remedy: string | null;
}

/** Sends a call once. Gives an answer of status 2xx and of the type asked for; throws a `RequestFailure` for any other. */
export type SendOnce = (call: AuthorizedCall, signal: AbortSignal) => Promise<Answer>;

export interface SendContext {
  readonly provider: ProviderEndpoint;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly redactor: Redactor;
}

const connectTimeoutMs = 15_000;
const firstByteTimeoutMs = 300_000;

export function createSend(context: SendContext): SendOnce {
  const { provider, identity, clock, connections, redactor } = context;
  redactor.learn([...toSecrets(provider.headers), ...toQuerySecrets(provider.queryParams)]);
  const affinity = createThreadAffinity(provider.threadHeaders ?? "hyphen");
  let hasAnswered = false;
  return async (call, signal) => {
    const url = readUrl(provider, call);
    const { authorization, origin } = call;
    redactor.learn(toSecrets(authorization));
    const thread = origin === null ? {} : affinity.toHeaders(origin);
    const headers = toRequestHeaders(call, { identity, thread, configured: provider.headers, authorization });
    const answer = await openExchange(
      { url, headers, body: call.body },
      {
        begin: await connections.load(url.protocol),
        clock,
        connectTimeoutMs: provider.connectTimeoutMs ?? connectTimeoutMs,
        firstByteTimeoutMs: provider.firstByteTimeoutMs ?? firstByteTimeoutMs,
        signal,
      },
    ).catch((error: unknown) => {
      throw hasAnswered ? toRestartFailure(error, url.host) : error;
    });
    hasAnswered = true;
    const accepted = await acceptAnswer(answer, call, clock);
    if (origin !== null) affinity.learn(origin, accepted.headers);
    return accepted;
  };
}

function readUrl(provider: ProviderEndpoint, call: Call): URL {
  const queryParams = { ...provider.queryParams, ...call.queryParams };
  try {
    return toEndpointUrl({ baseUrl: provider.baseUrl, queryParams }, call.path);
  } catch (error) {
    throw toNetworkFailure(error, `the provider ${provider.id}`);
  }
}
