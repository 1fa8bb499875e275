import { resolveCredential, resolveRequestParts, type ResolvedConfig } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import { createResponsesClient, type ResponsesClient } from "@unroll/responses-client";
import { HarnessError } from "../harness-error.ts";
import { createClock } from "../host/create-clock.ts";
import type { HostEnvironment } from "../host/host-environment.ts";

/** The model of a thread; `close` ends its connections. */
export interface OpenModel extends ModelClient {
  close(): void;
}

/** The client of the provider that the config names. Throws `HarnessError` `missing_credential`. */
export function openModel(config: ResolvedConfig, host: HostEnvironment, userAgent: string): OpenModel {
  const { provider } = config;
  const credential = resolveCredential(provider, host.env);
  if (credential.type === "missing") {
    const how = credential.instructions === null ? "" : ` ${credential.instructions}`;
    throw new HarnessError(
      "missing_credential",
      `There is no key for the provider ${provider.name}: set ${credential.envName}.${how}`,
    );
  }
  const { headers, query } = resolveRequestParts(provider, host.env);
  const authorization = credential.type === "bearer" ? { authorization: `Bearer ${credential.token}` } : {};
  const client: ResponsesClient = createResponsesClient({
    provider: {
      id: provider.id,
      baseUrl: provider.baseUrl,
      queryParams: query,
      headers,
      requestMaxRetries: provider.requestMaxRetries,
      streamMaxRetries: provider.streamMaxRetries,
      idleTimeoutMs: provider.streamIdleTimeoutMs,
    },
    credential: { authorization: () => Promise.resolve(authorization) },
    clock: createClock(host),
    random: host.random,
    userAgent,
    proxyEnv: host.env,
  });
  return client;
}
